package dev.tilewright.gemm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tilewright.ptx.type.Target;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** NVIDIA's assembler, where it is on the PATH; elsewhere the test is skipped. */
public final class Ptxas {

    private static final Pattern REGISTERS = Pattern.compile("Used (\\d+) registers");

    private Ptxas() {}

    public static void assumePresent() {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "ptxas"))),
                "ptxas is not on the PATH");
    }

    /**
     * Assembles a kernel that must neither spill nor serialise its wgmma (C75xx), and returns its registers a thread.
     */
    public static int registers(Target target, String name, String text) throws IOException, InterruptedException {
        Path source = Files.createTempFile("tilewright", ".ptx");
        try {
            Files.writeString(source, text);
            Process process = new ProcessBuilder("ptxas", "-arch=" + target.ptx(), "-v", source.toString(), "-o", "/dev/null")
                    .redirectErrorStream(true)
                    .start();
            String report = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(name + "\n" + report).isZero();
            assertThat(report)
                    .as(name)
                    .contains("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads")
                    .doesNotContain("C75")
                    .doesNotContain("warning");
            Matcher registers = REGISTERS.matcher(report);
            assertThat(registers.find()).as(report).isTrue();
            return Integer.parseInt(registers.group(1));
        } finally {
            Files.delete(source);
        }
    }
}
