package dev.tilewright.worker.cli.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tilewright.worker.cli.bundle.BundleVerb.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FromCudaTest {
    private static final Path EXAMPLE = Path.of("..", "..", "docs", "examples", "bundles", "cuda-gemm");

    @TempDir
    private Path folder;

    private final BundleVerb bundle = BundleVerb.withoutAssembler();

    /** A program of this name that does what a script says. */
    private BundleVerb withNvcc(String script) throws IOException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Path nvcc = bin.resolve("nvcc");
        Files.writeString(nvcc, "#!/bin/sh\n" + script);
        assertThat(nvcc.toFile().setExecutable(true)).isTrue();
        return new BundleVerb(Map.of("PATH", bin.toString()), bundle.assembler());
    }

    @Test
    void compilesEachCombination() throws IOException {
        Path ptx = EXAMPLE.resolve("gemm-TILE32-STEP16.ptx").toAbsolutePath();
        // The last argument is the output.
        BundleVerb with = withNvcc("for last in \"$@\"; do :; done\n/bin/cp " + ptx + " \"$last\"\necho \"$@\" >> "
                + folder.resolve("calls"));
        Path to = folder.resolve("to");
        Seen seen = with.run(
                "from-cuda",
                EXAMPLE.resolve("gemm.cu"),
                "--define",
                "TILE=32,64",
                "--define",
                "STEP=16,32",
                "--to",
                to,
                "--flag=-O3");
        assertThat(seen.err()).isEmpty();
        assertThat(seen.exit()).isZero();
        assertThat(Files.readAllLines(folder.resolve("calls")))
                .hasSize(4)
                .allMatch(call -> call.startsWith("-arch=sm_90a -ptx -O3 -DTILE="))
                .anyMatch(call -> call.contains("-DTILE=64 -DSTEP=16"));
        String yaml = Files.readString(to.resolve("kernel.yaml"));
        assertThat(yaml)
                .contains("name: gemm\n", "  TILE: [32, 64]\n  STEP: [16, 32]\n")
                .contains("kernel: gemm-TILE${TILE}-STEP${STEP}.ptx\n", "  entry: gemm\n", "  block: 256\n")
                .contains("    - pointer: TODO  # gemm_param_0, 8 bytes\n")
                .contains("    - struct: {size: 12, fields: [{at: 0, s32: TODO}]}  # gemm_param_3, 12 bytes\n");
        assertThat(bundle.run("check", to).err()).contains("kernel.yaml:6:11: problem.a: unknown data type 'TODO'");
        Files.writeString(to.resolve("kernel.yaml"), yaml + "# mine\n");
        assertThat(with.run("from-cuda", EXAMPLE.resolve("gemm.cu"), "--define", "TILE=32", "--to", to)
                        .out())
                .anyMatch(line -> line.startsWith("kept: "));
    }

    /** The folder that one works in is not filled with the files of a bundle. */
    @Test
    void withoutAFolderItMakesOneOfTheNameOfTheSource() {
        assertThat(BundleFromCuda.folder(Path.of("src/gemm.cu"))).isEqualTo(Path.of("gemm"));
        assertThat(BundleFromCuda.folder(Path.of("gemm"))).isEqualTo(Path.of("gemm-bundle"));
    }

    @Test
    void saysWhatNvccSays() throws IOException {
        BundleVerb with = withNvcc("echo 'gemm.cu(3): error: what is this?'\nexit 2\n");
        Seen seen = with.run("from-cuda", EXAMPLE.resolve("gemm.cu"), "--define", "TILE=32", "--to", folder);
        assertThat(seen.exit()).isEqualTo(1);
        assertThat(seen.err()).contains("-DTILE=32").contains("ended with 2").contains("error: what is this?");
        BundleVerb without = new BundleVerb(Map.of("PATH", "/nowhere"), bundle.assembler());
        Seen absent = without.run("from-cuda", EXAMPLE.resolve("gemm.cu"), "--to", folder);
        assertThat(absent.exit()).isEqualTo(4);
        assertThat(absent.err()).contains("there is no nvcc on the PATH");
    }

    /** The texts of the example are those of its source. */
    @Test
    void theExampleIsWhatNvccMakes() throws IOException {
        assumeTrue(OnPath.find("nvcc", System.getenv()) != null, "no nvcc on this machine");
        Seen seen = bundle.run(
                "from-cuda", EXAMPLE.resolve("gemm.cu"), "--define", "TILE=64", "--define", "STEP=16", "--to", folder);
        assertThat(seen.exit()).isZero();
        assertThat(bundle.run("check", folder).err()).contains("problem.a: unknown data type 'TODO'");
        Files.delete(folder.resolve("kernel.yaml"));
        Files.writeString(
                folder.resolve("kernel.yaml"),
                Files.readString(EXAMPLE.resolve("kernel.yaml"))
                        .replace("TILE: [32, 64]", "TILE: [64]")
                        .replace("STEP: [16, 32]", "STEP: [16]"));
        assertThat(bundle.run("check", folder, "--seeds", "1").out().getLast()).startsWith("1 proved of 1 config");
    }
}
