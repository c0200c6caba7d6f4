package dev.tilewright.worker.cli.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.worker.cli.bundle.BundleVerb.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Caches that Triton 3.8 made of {@code docs/examples/ci/triton} for sm_90, without a GPU: of the kernel as it is
 * there, and of an edited one.
 */
class FromTritonTest {
    private static final Path CACHE = Path.of("src", "test", "resources", "triton-cache");
    private static final Path EDITED = Path.of("src", "test", "resources", "triton-cache-edited");
    private static final String NARROW = "w4-s3-e9861c80";
    private static final String WIDE = "w8-s3-ae85255c";
    private static final String DESCRIPTION = "kernel.yaml";

    @TempDir
    private Path folder;

    private final BundleVerb bundle = BundleVerb.withoutAssembler();

    /** Folders of a cache in other places, so that another order of them is found. */
    private static void copy(Path cache, Path to, boolean withConstexprs) throws IOException {
        try (Stream<Path> files = Files.walk(cache)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String below = cache.relativize(file).toString();
                if (withConstexprs || !below.equals("constexprs.json")) {
                    Path target = to.resolve(below.replaceFirst("^J", "Z").replaceFirst("^ZW", "A"));
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target);
                }
            }
        }
    }

    private static void change(Path file, String part, String other) throws IOException {
        String text = Files.readString(file);
        assertThat(text).contains(part);
        Files.writeString(file, text.replace(part, other));
    }

    private Path filled() throws IOException {
        assertThat(bundle.run("from-triton", CACHE, "--to", folder).exit()).isZero();
        Path description = folder.resolve(DESCRIPTION);
        String filled = Files.readString(description)
                .replace("a: TODO, b: TODO, d: TODO", "a: f16, b: f16, d: f16")
                .replace("grid: TODO", "grid: [\"ceildiv(m, BLOCK_M)\", \"ceildiv(n, BLOCK_N)\"]")
                .replaceAll("# TODO.*", "");
        for (String value : new String[] {"pointer: A", "pointer: B", "pointer: D"}) {
            filled = filled.replaceFirst("pointer: TODO", value);
        }
        for (String value : new String[] {"u32: m", "u32: n", "u32: k"}) {
            filled = filled.replaceFirst("u32: TODO", value);
        }
        return Files.writeString(description, filled.replace("called TODO", ""));
    }

    @Test
    void writesWhatTheCacheSays() throws IOException {
        Seen seen = bundle.run("from-triton", CACHE, "--to", folder);
        assertThat(seen.err()).isEmpty();
        assertThat(folder.resolve("matmul-" + NARROW + ".ptx")).exists();
        assertThat(Files.readString(folder.resolve(DESCRIPTION)))
                .contains("# " + NARROW + ": num_warps 4, num_stages 3, num_ctas 1, shared 8192, BLOCK_K 32,"
                        + " BLOCK_M 64, BLOCK_N 64\n")
                .contains("  variant: [" + NARROW + ", " + WIDE + "]\n")
                .contains("  BLOCK_K: 32\n  BLOCK_M: \"variant == '" + NARROW + "' ? 64 : 128\"\n")
                .contains("  warps: \"variant == '" + NARROW + "' ? 4 : 8\"\n  shared: \"variant == '" + NARROW
                        + "' ? 8192 : 16384\"\n")
                .contains("kernel: matmul-${variant}.ptx\n", "  entry: matmul\n", "  block: 32 * warps\n")
                .contains("    - pointer: TODO  # u64, a_ptr !tt.ptr<f16>\n", "    - u32: TODO  # u32, k i32\n")
                .contains(
                        "    - nullPointer  # scratch of the kernel, not used\n    - nullPointer  # scratch of the profiler\n");
    }

    @Test
    void provesOnceItIsFilled() throws IOException {
        filled();
        Seen seen = bundle.run("check", folder, "--shape", "130x70x72", "--seeds", "1", "--accept", "vendor-idioms");
        assertThat(seen.err()).isEmpty();
        assertThat(seen.out()).anyMatch(line -> line.startsWith("proved       variant=" + WIDE));
        assertThat(seen.out().getLast()).startsWith("2 proved of 2 configs");
    }

    /** CI gives each commit a cache of its own, and uses the description of the repository. */
    @Test
    void aSecondCallKeepsTheDescriptionAndWritesTheTextsAnew() throws IOException {
        Path description = filled();
        String written = Files.readString(description);
        String text = Files.readString(folder.resolve("matmul-" + WIDE + ".ptx"));
        Seen same = bundle.run("from-triton", CACHE, "--to", folder);
        assertThat(same.exit()).as(same.err()).isZero();
        assertThat(same.out().getLast()).isEqualTo("kept: " + description + "; it fits the kernels");
        assertThat(Files.readString(folder.resolve("matmul-" + WIDE + ".ptx"))).isEqualTo(text);

        Seen edited = bundle.run("from-triton", EDITED, "--to", folder);
        assertThat(edited.exit()).as(edited.err()).isZero();
        assertThat(Files.readString(description)).isEqualTo(written);
        assertThat(Files.readString(folder.resolve("matmul-" + WIDE + ".ptx"))).isNotEqualTo(text);
        assertThat(bundle.run("check", folder, "--shape", "130x70x72", "--seeds", "1", "--accept", "vendor-idioms")
                        .out()
                        .getLast())
                .startsWith("2 proved of 2 configs");
    }

    @Test
    void aVariantHasItsNameInEveryCache() throws IOException {
        Path shuffled = folder.resolve("shuffled");
        copy(CACHE, shuffled, true);
        bundle.run("from-triton", CACHE, "--to", folder.resolve("one"));
        bundle.run("from-triton", shuffled, "--to", folder.resolve("other"));
        for (String file : List.of(DESCRIPTION, "matmul-" + NARROW + ".ptx", "matmul-" + WIDE + ".ptx")) {
            assertThat(folder.resolve("other/" + file)).hasSameTextualContentAs(folder.resolve("one/" + file));
        }
    }

    /** Where nobody wrote the constexprs down, tiles stand for them. */
    @Test
    void withoutConstexprsAnEditKeepsTheNameToo() throws IOException {
        List<List<String>> names = new ArrayList<>();
        for (Path cache : List.of(CACHE, EDITED)) {
            Path to = folder.resolve(cache.getFileName());
            copy(cache, to, false);
            bundle.run("from-triton", to, "--to", to.resolve("bundle"));
            String described = Files.readString(to.resolve("bundle/kernel.yaml"));
            assertThat(described).contains("# The cache does not say the values of tl.constexpr", "tiles 32x64 64x32");
            names.add(described
                    .lines()
                    .filter(line -> line.contains("  variant:"))
                    .toList());
        }
        assertThat(names.getFirst()).isEqualTo(names.getLast());
        assertThat(names.getFirst().getFirst()).doesNotContain(NARROW, WIDE);
    }

    /** Texts that all the rest does not tell apart. */
    @Test
    void kernelsThatLookAlikeHaveNamesOfTheirOwn() throws IOException {
        Path cache = folder.resolve("cache");
        copy(CACHE, cache, false);
        copy(EDITED, cache, false);
        Seen seen = bundle.run("from-triton", cache, "--to", folder.resolve("to"));
        assertThat(seen.exit()).isZero();
        assertThat(seen.out())
                .anyMatch(line -> line.contains("have different texts, so a hash of the text is in their"));
        assertThat(Files.readString(folder.resolve("to/kernel.yaml")))
                .containsPattern(
                        "variant: \\[(w4-s3-[0-9a-f]{8}-[0-9a-f]{8}, ){2}(w8-s3-[0-9a-f]{8}-[0-9a-f]{8}(, )?){2}]");
    }

    @Test
    void saysAllThatNoLongerFits() throws IOException {
        Path description = filled();
        Path cache = folder.resolve("cache");
        copy(CACHE, cache, true);
        Path narrow = cache.resolve("ZMHPXPVE2XUD");
        change(narrow.resolve("matmul.json"), "\"shared\": 8192", "\"shared\": 12288");
        change(
                narrow.resolve("matmul.ptx"),
                ".param .u32 matmul_param_5,",
                ".param .u32 matmul_param_5,\n\t.param .u32 lda,");
        change(cache.resolve("constexprs.json"), "128", "256");
        Seen seen = bundle.run("from-triton", cache, "--to", folder);
        assertThat(seen.exit()).isEqualTo(2);
        assertThat(seen.err())
                .contains(description + ": is kept, but does not fit the kernels\n")
                .contains("  variant " + WIDE + ": the cache has no such kernel\n")
                .contains("  variant " + NARROW + ": launch.parameters has 8, the kernel takes 9: ")
                .contains("  variant " + NARROW + ": launch.dynamicShared is 8192 bytes, the kernel needs 12288\n")
                .contains("    BLOCK_M: \"variant == '" + NARROW + "' ? 64 : 256\"\n");
        assertThat(folder.resolve("matmul-" + WIDE + ".ptx"))
                .as("no text of a kernel that is gone")
                .doesNotExist();

        change(description, "    - u32: k", "    - u64: k");
        assertThat(bundle.run("from-triton", CACHE, "--to", folder).err())
                .contains("launch.parameters[5] has 8 bytes, the kernel takes a u32: a_ptr !tt.ptr<f16>, ");
        change(description, "block: 32 * warps", "block: 64");
        assertThat(bundle.run("from-triton", CACHE, "--to", folder).err())
                .contains("launch.block has 64 threads, the kernel 8 warps of 32");
    }

    @Test
    void aDescriptionThatIsNotFilledIsKept() throws IOException {
        bundle.run("from-triton", CACHE, "--to", folder);
        Seen seen = bundle.run("from-triton", CACHE, "--to", folder);
        assertThat(seen.exit()).isZero();
        assertThat(seen.out().getLast()).startsWith("kept: ").contains("fill what is called TODO");
        Files.writeString(folder.resolve(DESCRIPTION), "name: [");
        assertThat(bundle.run("from-triton", CACHE, "--to", folder).exit()).isEqualTo(2);
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
        Files.delete(folder.resolve("x.json"));
        Path cache = folder.resolve("cache");
        copy(CACHE, cache, true);
        Files.writeString(cache.resolve("constexprs.json"), "{\"12ab\": {\"BLOCK_M\": [1]}}");
        assertThat(bundle.run("from-triton", cache, "--to", folder.resolve("to"))
                        .err())
                .contains("constexprs.json: 12ab: must be names of constexprs with a number or a word each, got");
        Files.writeString(cache.resolve("constexprs.json"), "[1]");
        assertThat(bundle.run("from-triton", cache, "--to", folder.resolve("to"))
                        .err())
                .contains("constexprs.json: must be an object of hashes of kernels, {HASH: {NAME: VALUE}}, got [1]");
    }
}
