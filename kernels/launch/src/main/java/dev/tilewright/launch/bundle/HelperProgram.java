package dev.tilewright.launch.bundle;

import java.util.List;

/**
 * A program of the host that says how a kernel is launched. Whoever reads a bundle never runs it unasked.
 *
 * @param path of the program in the bundle
 * @param arguments {@code name=value} of m, n, k, batch, sms and each parameter
 */
public record HelperProgram(String path, List<String> arguments) {

    /** Runs programs, or refuses to. */
    @FunctionalInterface
    public interface Runner {

        /** Refuses all. */
        Runner NONE = program -> {
            throw new BundleException("the launch comes from the program '" + program.path()
                    + "', and nobody has allowed to run it here");
        };

        /**
         * What the program prints.
         *
         * @throws BundleException if it may not run, fails, or takes too long
         */
        String run(HelperProgram program);
    }

    public HelperProgram {
        arguments = List.copyOf(arguments);
    }
}
