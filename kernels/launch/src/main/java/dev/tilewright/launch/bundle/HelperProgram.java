package dev.tilewright.launch.bundle;

import java.util.List;

/**
 * A program of the host that says how a kernel is launched. Whoever reads a bundle never runs it unasked. What it
 * prints may be recorded in the bundle, which then needs the program no more.
 *
 * @param path of the program in the bundle
 * @param arguments {@code name=value} of m, n, k, batch, sms and each parameter
 */
public record HelperProgram(String path, List<String> arguments) {
    /** The folder of recorded launches in a bundle. */
    static final String RECORDS = "launches/";

    /** Runs programs, or refuses to. */
    @FunctionalInterface
    public interface Runner {

        /** Refuses all. */
        Runner NONE = program -> {
            throw new BundleException("the launch comes from the program '" + program.path()
                    + "', which nobody has allowed to run here, and the bundle has none recorded for "
                    + String.join(" ", program.arguments()));
        };

        /**
         * The output of the program.
         *
         * @throws BundleException if it may not run, fails, or takes too long
         */
        String run(HelperProgram program);
    }

    public HelperProgram {
        arguments = List.copyOf(arguments);
    }

    /** The file of the bundle with what it prints, if that is recorded. */
    String record() {
        return RECORDS + String.join(",", arguments);
    }
}
