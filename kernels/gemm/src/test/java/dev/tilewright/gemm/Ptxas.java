package dev.tilewright.gemm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tilewright.model.space.Sha256;
import dev.tilewright.ptx.type.Target;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * NVIDIA's assembler, where it is on the PATH; elsewhere the test is skipped. What it said of a text is kept, by the
 * hash of assembler, target and text, in the folder of the module's build.
 */
public final class Ptxas {

    private static final Pattern REGISTERS = Pattern.compile("Used (\\d+) registers");

    private static final Path KEPT = Path.of("target", "assembled");

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
        Path kept = KEPT.resolve(Sha256.hex(version() + target.ptx() + text));
        if (Files.exists(kept)) {
            return Integer.parseInt(Files.readString(kept));
        }
        int registers = assemble(target, name, text);
        Files.createDirectories(KEPT);
        Path written = Files.createTempFile(KEPT, "registers", ".new");
        Files.writeString(written, Integer.toString(registers));
        Files.move(written, kept, StandardCopyOption.ATOMIC_MOVE);
        return registers;
    }

    /** Assembles a kernel and returns the binary. */
    public static byte[] binary(Target target, String text) throws IOException, InterruptedException {
        Path source = Files.createTempFile("tilewright", ".ptx");
        Path binary = Files.createTempFile("tilewright", ".cubin");
        try {
            Files.writeString(source, text);
            run("ptxas", "-arch=" + target.ptx(), source.toString(), "-o", binary.toString());
            return Files.readAllBytes(binary);
        } finally {
            Files.delete(source);
            Files.delete(binary);
        }
    }

    private static String version() throws IOException, InterruptedException {
        return run("ptxas", "--version");
    }

    private static int assemble(Target target, String name, String text) throws IOException, InterruptedException {
        Path source = Files.createTempFile("tilewright", ".ptx");
        try {
            Files.writeString(source, text);
            String report = run("ptxas", "-arch=" + target.ptx(), "-v", source.toString(), "-o", "/dev/null");
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

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String report = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(report).isZero();
        return report;
    }
}
