package dev.tilewright.emulator.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * Where figures come from.
 *
 * @param commit of the checkout, with {@code -dirty} if files differ from it
 * @param date of the run, UTC
 * @param cpu model name
 */
public record Provenance(String commit, String date, String jdk, String cpu) {
    private static final Path COMMIT_SCRIPT = Path.of("../../packaging/commit.sh");

    /** Of this process; tests run in the folder of their module. */
    public static Provenance read(InstantSource clock) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", COMMIT_SCRIPT.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String commit = new String(process.getInputStream().readAllBytes()).strip();
        if (process.waitFor() != 0 || commit.isEmpty() || commit.equals("unknown")) {
            throw new IOException(COMMIT_SCRIPT + " names no commit, got '" + commit + "'");
        }
        String cpu = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/cpuinfo names no CPU model"));
        return new Provenance(
                commit,
                clock.instant().truncatedTo(ChronoUnit.SECONDS).toString(),
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                cpu);
    }

    /** As a line of Markdown. */
    String line() {
        return "Commit " + commit + ", " + date + ", " + jdk + ", " + cpu + ".";
    }
}
