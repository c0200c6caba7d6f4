package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.text.PtxWriter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** The assembler, where there is one on the path. */
public final class Ptxas {
    /** A message shows no longer text. */
    private static final int LONG = 10_000;

    private Ptxas() {}

    /** Requires that a module assembles for sm_100a; skips the test where no assembler is. */
    public static void assemble(PtxModule module) throws IOException, InterruptedException {
        assemble(PtxWriter.write(module), "sm_100a");
    }

    /** Requires that a text assembles for a target; skips the test where no assembler is. */
    public static void assemble(String ptx, String target) throws IOException, InterruptedException {
        Optional<String> refusal = refusal(ptx, target);
        assertThat(refusal).as(ptx.length() > LONG ? "" : ptx).isEmpty();
    }

    /** The assembler's message on a text that it refuses; skips the test if there is no assembler. */
    public static Optional<String> refusal(String ptx, String target) throws IOException, InterruptedException {
        assumeTrue(
                Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "ptxas"))),
                "no ptxas on the path");
        Path text = Files.createTempFile("kernel", ".ptx");
        Path binary = Files.createTempFile("kernel", ".cubin");
        try {
            Files.writeString(text, ptx);
            Process process = new ProcessBuilder("ptxas", "-arch=" + target, text.toString(), "-o", binary.toString())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? Optional.empty() : Optional.of(said);
        } finally {
            Files.delete(text);
            Files.delete(binary);
        }
    }
}
