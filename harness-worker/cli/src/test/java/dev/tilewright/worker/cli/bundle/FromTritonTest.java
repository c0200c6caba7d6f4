package dev.tilewright.worker.cli.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.worker.cli.bundle.BundleVerb.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cache that Triton 3.8 made of {@code matmul.py} beside it, for sm_90, without a GPU. */
class FromTritonTest {
    private static final Path CACHE = Path.of("src", "test", "resources", "triton-cache");

    @TempDir
    private Path folder;

    private final BundleVerb bundle = BundleVerb.withoutAssembler();

    @Test
    void writesWhatTheCacheSays() throws IOException {
        Seen seen = bundle.run("from-triton", CACHE, "--to", folder);
        assertThat(seen.err()).isEmpty();
        assertThat(folder.resolve("matmul-1.ptx")).exists();
        assertThat(Files.readString(folder.resolve("kernel.yaml")))
                .contains("# variant 1: num_warps 4, num_stages 3, num_ctas 1, shared 8192\n")
                .contains("# variant 2: num_warps 8, num_stages 3, num_ctas 1, shared 16384\n")
                .contains("  warps: \"variant == 1 ? 4 : 8\"\n  shared: \"variant == 1 ? 8192 : 16384\"\n")
                .contains("kernel: matmul-${variant}.ptx\n", "  entry: matmul\n", "  block: 32 * warps\n")
                .contains("    - pointer: TODO  # u64, a_ptr !tt.ptr<f16>\n", "    - u32: TODO  # u32, k i32\n")
                .contains(
                        "    - nullPointer  # scratch of the kernel, not used\n    - nullPointer  # scratch of the profiler\n");
        assertThat(bundle.run("from-triton", CACHE, "--to", folder).err()).contains("exists already");
    }

    @Test
    void provesOnceItIsFilled() throws IOException {
        bundle.run("from-triton", CACHE, "--to", folder);
        Path description = folder.resolve("kernel.yaml");
        String filled = Files.readString(description)
                .replace("a: TODO, b: TODO, d: TODO", "a: f16, b: f16, d: f16")
                .replace("let:\n", "let:\n  blockM: \"variant == 1 ? 64 : 128\"\n")
                .replace("grid: TODO", "grid: [\"ceildiv(m, blockM)\", \"ceildiv(n, 64)\"]");
        for (String value : new String[] {"pointer: A", "pointer: B", "pointer: D"}) {
            filled = filled.replaceFirst("pointer: TODO", value);
        }
        for (String value : new String[] {"u32: m", "u32: n", "u32: k"}) {
            filled = filled.replaceFirst("u32: TODO", value);
        }
        Files.writeString(description, filled);
        Seen seen = bundle.run("check", folder, "--shape", "130x70x72", "--seeds", "1", "--accept", "vendor-idioms");
        assertThat(seen.err()).isEmpty();
        assertThat(seen.out()).anyMatch(line -> line.startsWith("proved       variant=2"));
        assertThat(seen.out().getLast()).startsWith("2 proved of 2 configs");
    }

    @Test
    void oldVersionsAppendFewerPointers() throws IOException {
        Path cache = Files.createDirectories(folder.resolve("cache/X"));
        Path from = CACHE.resolve("JMHPXPVE2XUD");
        String json = Files.readString(from.resolve("matmul.json"));
        String ptx = Files.readString(from.resolve("matmul.ptx"));
        // As 3.2 and 3.3 have it: no pointer of the profiler.
        Files.writeString(
                cache.resolve("matmul.json"),
                json.replaceAll(", \"profile_scratch_[a-z]+\": \\d+", "")
                        .replace("\"global_scratch_size\": 0", "\"global_scratch_size\": 256"));
        Files.writeString(cache.resolve("matmul.ptx"), ptx.replaceFirst(",\\s*\\.param[^,]*matmul_param_7", ""));
        assertThat(bundle.run("from-triton", folder.resolve("cache"), "--to", folder.resolve("to"))
                        .exit())
                .isZero();
        assertThat(Files.readString(folder.resolve("to/kernel.yaml")))
                .endsWith("    - u32: TODO  # u32\n"
                        + "    - pointer: TODO  # scratch: a buffer of 256 bytes for each CTA\n");
    }

    @Test
    void saysWhatItCannotUse() throws IOException {
        assertThat(bundle.run("from-triton", folder, "--to", folder).err())
                .contains("holds no kernel of Triton, that is NAME.json beside NAME.ptx");
        assertThat(bundle.run("from-triton", folder.resolve("no"), "--to", folder)
                        .err())
                .contains("must be a folder");
        assertThat(bundle.run("from-triton", CACHE, "--to", folder, "--kernel", "softmax")
                        .err())
                .contains("--kernel: must be one of [matmul], got 'softmax'");
        Files.writeString(folder.resolve("x.json"), "{");
        assertThat(bundle.run("from-triton", folder, "--to", folder.resolve("to"))
                        .err())
                .contains("x.json: is no JSON");
    }
}
