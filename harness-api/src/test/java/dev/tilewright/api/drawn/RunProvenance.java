package dev.tilewright.api.drawn;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the figures of a run come from. */
public final class RunProvenance {

    private RunProvenance() {}

    /** The commit, with {@code -dirty} if files differ from it, the machine and the JDK; without a full stop. */
    public static String line() throws IOException {
        Process script = new ProcessBuilder("sh", "../packaging/commit.sh")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String commit = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        String cpu = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/cpuinfo names no CPU model"));
        return "Commit %s, %d cores of %s, JDK %s"
                .formatted(commit, Runtime.getRuntime().availableProcessors(), cpu, Runtime.version());
    }
}
