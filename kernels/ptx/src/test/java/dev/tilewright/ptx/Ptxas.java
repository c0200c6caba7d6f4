package dev.tilewright.ptx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** NVIDIA's assembler, where it is on the PATH; elsewhere the test is skipped. */
public final class Ptxas {
    private Ptxas() {}

    /** Assembles to machine code: an ELF file. */
    public static byte[] binary(String text, String target) throws IOException, InterruptedException {
        Path binary = Files.createTempFile("tilewright", ".cubin");
        try {
            assemble(text, target, binary.toString());
            return Files.readAllBytes(binary);
        } finally {
            Files.delete(binary);
        }
    }

    /** Assembles and returns what the assembler reports with -v. */
    public static String assemble(String text, String target) throws IOException, InterruptedException {
        return assemble(text, target, "/dev/null");
    }

    private static String assemble(String text, String target, String to) throws IOException, InterruptedException {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "ptxas"))),
                "ptxas is not on the PATH");
        Path source = Files.createTempFile("tilewright", ".ptx");
        try {
            Files.writeString(source, text);
            Process process = new ProcessBuilder("ptxas", "-arch=" + target, "-v", source.toString(), "-o", to)
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
