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

/** The assembler, where there is one on the path. */
public final class Ptxas {
    private Ptxas() {}

    /** Requires that a module assembles for sm_100a; skips the test where no assembler is. */
    public static void assemble(PtxModule module) throws IOException, InterruptedException {
        assumeTrue(
                Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "ptxas"))),
                "no ptxas on the path");
        Path text = Files.createTempFile("kernel", ".ptx");
        Path binary = Files.createTempFile("kernel", ".cubin");
        try {
            String ptx = PtxWriter.write(module);
            Files.writeString(text, ptx);
            Process process = new ProcessBuilder("ptxas", "-arch=sm_100a", text.toString(), "-o", binary.toString())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said + ptx).isZero();
        } finally {
            Files.delete(text);
            Files.delete(binary);
        }
    }
}
