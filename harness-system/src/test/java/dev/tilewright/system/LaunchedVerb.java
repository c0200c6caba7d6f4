package dev.tilewright.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** A verb of the real launcher, whose output, of both kinds, goes to a file. */
public record LaunchedVerb(Process process, Path log) {

    /** Something that happens while a verb runs. */
    @FunctionalInterface
    interface Meanwhile {
        void step() throws Exception;
    }

    /** The launcher that the build names. */
    public static Path launcher() {
        return Path.of(Objects.requireNonNull(
                System.getProperty("tilewright.launcher.path"),
                "-Dtilewright.launcher.path names the launcher to test"));
    }

    /**
     * Starts one, with a home below a folder.
     *
     * @param columns of its terminal
     */
    static LaunchedVerb start(Path folder, int columns, String... verb) throws IOException {
        List<String> command = new ArrayList<>(List.of(launcher().toString()));
        command.addAll(List.of(verb));
        Path log = folder.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment()
                .putAll(Map.of(
                        "HOME", folder + "/home", "TILEWRIGHT_NO_BUILD", "1", "COLUMNS", Integer.toString(columns)));
        return new LaunchedVerb(builder.start(), log);
    }

    /** The exit code. If a step fails, the verb is ended. */
    int toItsEnd(Meanwhile meanwhile) throws Exception {
        try {
            while (process.isAlive()) {
                meanwhile.step();
                process.waitFor(100, TimeUnit.MILLISECONDS);
            }
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    /** All that it has printed until now. */
    String said() throws IOException {
        return Files.readString(log);
    }
}
