package dev.tilewright.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tilewright.ptx.type.Target;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** NVIDIA's assembler, where it is on the PATH; elsewhere the test is skipped. */
final class Ptxas {

    private Ptxas() {}

    static void assumePresent() {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "ptxas"))),
                "ptxas is not on the PATH");
    }

    /** The report of the assembler on a text, which it must take. */
    static String report(Target target, String text) throws IOException, InterruptedException {
        Path source = Files.createTempFile("tilewright", ".ptx");
        try {
            Files.writeString(source, text);
            Process process = new ProcessBuilder(
                            "ptxas", "-arch=" + target.ptx(), "-v", source.toString(), "-o", "/dev/null")
                    .redirectErrorStream(true)
                    .start();
            String report = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(report).isZero();
            return report;
        } finally {
            Files.delete(source);
        }
    }
}
