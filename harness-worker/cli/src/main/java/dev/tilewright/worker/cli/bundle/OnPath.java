package dev.tilewright.worker.cli.bundle;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Programs of the machine. */
final class OnPath {
    private OnPath() {}

    /** The first of this name on the path; {@code null} if there is none. */
    static @Nullable Path find(String program, Map<String, String> environment) {
        return Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }
}
