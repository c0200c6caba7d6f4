package dev.tilewright.worker.cli.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.testing.Python;
import dev.tilewright.worker.cli.RootCommand;
import dev.tilewright.worker.cli.bundle.BundleVerb.Seen;
import dev.tilewright.worker.cli.capture.CaptureCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * {@code bundle from-triton --from}: a recording of launches fills the description. The program runs with stand-ins for
 * PyTorch and Triton; the kernels of the first test are those that Triton 3.8 compiled.
 */
class FromRecordingTest {
    private static final Path CACHE = Path.of("src", "test", "resources", "triton-cache");
    private static final String BLOCKS = "1, BLOCK_M=64, BLOCK_N=32, ACTIVATION='relu'";
    private static final Path STAND_IN = Path.of("..", "..", "docs", "examples", "capture", "stand-in");

    /** A kernel with strides, a bias and an activation, as launches pass it; its IR is as much as is read of one. */
    private static final String ARGUMENTS = "x_ptr, w_ptr, bias_ptr, y_ptr, M, N, K, stride_xm, stride_ym, scale";

    @TempDir
    private Path folder;

    private final BundleVerb bundle = BundleVerb.withoutAssembler();

    private void record(Path cache, String text) throws IOException {
        String head = """
                import os
                os.environ["TRITON_CACHE_DIR"] = "%s"
                import torch, triton
                import triton.language as tl
                def t(*shape, stride=None, dtype=torch.float16):
                    return torch.Tensor(shape, dtype, stride, "cuda")
                """.formatted(cache.toAbsolutePath());
        Path program = Files.writeString(folder.resolve("program.py"), head + text);
        PrintStream quiet = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Map<String, String> environment =
                Map.of("PYTHONPATH", STAND_IN.toAbsolutePath().normalize().toString());
        CommandLine capture = new CommandLine(new CaptureCommand(environment, quiet, quiet)).setStopAtPositional(true);
        assertThat(RootCommand.commandLine(Map.of(), capture)
                        .execute("capture", "--to", out().toString(), "--", Python.program(), program.toString()))
                .isZero();
    }

    private Path out() {
        return folder.resolve("out");
    }

    private Seen made(Path cache) {
        return bundle.run("from-triton", cache, "--from", out(), "--to", folder.resolve("to"));
    }

    private String description() throws IOException {
        return Files.readString(folder.resolve("to/kernel.yaml"));
    }

    @Test
    void aRecordedGemmIsABundleWithoutATodo() throws IOException {
        record(CACHE, """
                @triton.autotune([triton.Config({"BLOCK_M": m, "BLOCK_N": 64, "BLOCK_K": 32}, num_warps=w)
                    for m, w in ((64, 4), (128, 8), (256, 8))], ["m"])
                @triton.jit
                def matmul(a_ptr, b_ptr, d_ptr, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                           BLOCK_K: tl.constexpr):
                    pass
                for m in (130, 200):
                    grid = lambda meta: (triton.cdiv(m, meta["BLOCK_M"]), triton.cdiv(70, meta["BLOCK_N"]))
                    matmul[grid](t(m, 72), t(70, 72), t(m, 70), m, 70, 72)
                """);
        Seen seen = made(CACHE);

        assertThat(seen.err()).isEmpty();
        assertThat(seen.out())
                .contains("autotuned: 3 configs, of which the program launched 2 variants that are in the cache");
        assertThat(seen.out().getLast()).contains("kernel.yaml; next: tilewright bundle check");
        assertThat(description())
                .doesNotContain("TODO")
                .contains("# Problem, grid and parameters are those of launches at 130x70x72, 200x70x72.\n")
                .contains("problem:\n  a: f16\n  b: f16\n  d: f16\nspace:")
                .contains("  grid: [\"ceildiv(m, BLOCK_M)\", \"ceildiv(n, BLOCK_N)\"]\n")
                .contains("    - pointer: B  # u64, b_ptr !tt.ptr<f16>\n", "    - u32: k  # u32, k i32\n");
        Seen checked = bundle.run(
                "check", folder.resolve("to"), "--shape", "130x70x72", "--seeds", "1", "--accept", "vendor-idioms");
        assertThat(checked.exit()).as(checked.err()).isZero();
        assertThat(checked.out().getLast()).startsWith("2 proved of 2 configs");

        assertThat(made(CACHE).out().getLast()).endsWith("kernel.yaml; it fits the kernels");
    }

    /** A cache of one variant of a kernel that takes {@link #ARGUMENTS}. */
    private Path linear(String stored, String more) throws IOException {
        Path cache = Files.createDirectories(folder.resolve("cache/linear"));
        Files.writeString(cache.resolve("linear.json"), """
                {"hash": "12ab", "name": "linear", "num_warps": 4, "num_stages": 3, "shared": 512,
                 "global_scratch_size": 128, "profile_scratch_size": 0}
                """);
        Files.writeString(cache.resolve("linear.ptx"), """
                .version 8.7
                .target sm_90a
                .visible .entry linear(.param .u64 .ptr .global x, .param .u64 .ptr .global w,
                 .param .u64 .ptr .global bias, .param .u64 .ptr .global y, .param .u32 m, .param .u32 n, .param .u32 k,
                 .param .u32 xm, .param .u32 ym, .param .f32 scale, .param .u64 s, .param .u64 p)
                .reqntid 128 { ret; }
                """);
        Files.writeString(
                cache.resolve("linear.ttir"), """
                tt.func public @linear(%x_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32} loc("x"), \
                %w_ptr: !tt.ptr<f16>, %bias_ptr: !tt.ptr<f32>, %y_ptr: !tt.ptr<f16>, %M: i32, %N: i32, \
                %K: i32 {tt.divisibility = 16 : i32}, %stride_xm: i32 {tt.divisibility = 16 : i32}, \
                %stride_ym: i32, %scale: f32) {
                  %0 = tt.splat %STORED : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
                  %1:2 = scf.for %i = %c0 to %K step %c1 iter_args(%sum = %zero, %at = %0) -> (tensor<64x64xf32>) {
                    %2 = MORE
                    %3 = tt.addptr %at, %2 : tensor<64x64x!tt.ptr<f16>>
                  }
                  %4 = tt.addptr %1#1, %9 : tensor<64x64x!tt.ptr<f16>>
                  tt.store %4, %5, %6 : tensor<64x64x!tt.ptr<f16>>
                """.replace("STORED", stored).replace("MORE", more));
        return folder.resolve("cache");
    }

    private void recordLinear(Path cache, String... launches) throws IOException {
        StringBuilder text = new StringBuilder("""
                @triton.jit
                def linear(%s, stride_wn, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, ACTIVATION: tl.constexpr,
                           BLOCK_K: tl.constexpr = 16, SPLIT_K: tl.constexpr = None, EVEN_K: tl.constexpr = False,
                           n: tl.constexpr = None, NUM_SMS: tl.constexpr = None):
                    pass
                def grid(meta):
                    tiles = triton.cdiv(meta["M"], meta["BLOCK_M"]) * triton.cdiv(meta["N"], meta["BLOCK_N"])
                    return (min(tiles, meta["NUM_SMS"] or tiles), meta["SPLIT_K"] or 1)
                """.formatted(ARGUMENTS));
        for (String launch : launches) {
            text.append("linear[grid](").append(launch).append(")\n");
        }
        record(cache, text.toString());
    }

    /** A launch with M rows, in two parts if they are even. */
    private static String launch(int m) {
        String x = m % 2 == 0 ? "t(2, %d, 96)".formatted(m / 2) : "t(%d, 96)".formatted(m);
        return x
                + ", t(96, 70, stride=(1, 96)), t(70, dtype=torch.float32), t(%d, 70), %d, 70, 96, 96, 70, 1.0, "
                        .formatted(m, m)
                + BLOCKS;
    }

    /** Strides, divisors that Triton took for granted, a bias of another type, an activation, scratch. */
    @Test
    void everyArgumentIsAnExpression() throws IOException {
        Path cache = linear("y_ptr", "tt.dot %a, %b, %sum");
        recordLinear(cache, launch(130), launch(200));
        Seen seen = made(cache);

        assertThat(seen.err()).isEmpty();
        assertThat(description())
                .doesNotContain("TODO")
                .contains("""
                        problem:
                          a: f16
                          b: f16
                          d: f16
                          conditions: ["k % 16 == 0"]
                        epilogue: {steps: "bias,relu", bias: f32}
                        """)
                .contains("  grid: [\"ceildiv(m, BLOCK_M) * ceildiv(n, BLOCK_N)\", \"1\"]\n")
                .contains("  scratch: 128\n")
                .contains("  buffers: {SCRATCH: {dtype: u8, shape: \"scratch * (ceildiv(m, BLOCK_M) * ceildiv(n,"
                        + " BLOCK_N)) * (1)\"}}\n")
                .containsSubsequence(
                        "- pointer: A ",
                        "- pointer: B ",
                        "- pointer: BIAS ",
                        "- pointer: D ",
                        "- u32: m ",
                        "- u32: n ",
                        "- u32: k ",
                        "- u32: k ",
                        "- u32: n ",
                        "- f32: 1.0 ",
                        "- pointer: SCRATCH ",
                        "- nullPointer ");
    }

    /** Variants that Triton specialised otherwise: what one of them needs binds that one alone. */
    @Test
    void whatOneVariantNeedsIsAConstraintOfIt() throws IOException {
        Path cache = linear("y_ptr", "tt.dot %a, %b, %sum");
        another(cache, "34cd", 8, " {tt.divisibility = 16 : i32}", "");
        another(cache, "56ef", 2, "%M: i32, ", " .param .u32 m,");
        recordLinear(cache, launch(130), launch(130), launch(200) + ", num_warps=8", launch(1) + ", num_warps=2");
        Seen seen = made(cache);

        assertThat(seen.err()).isEmpty();
        assertThat(seen.out()).anyMatch(line -> line.matches("left out: w2-s3-\\w+ takes other arguments: x_ptr .*"));
        assertThat(description())
                .doesNotContain("TODO", "conditions")
                .containsPattern("variant: \\[w4-s3-\\w+, w8-s3-\\w+]")
                .containsPattern("constraints:\n  - \"variant != 'w4-s3-\\w+' \\|\\| k % 16 == 0\"\n");
    }

    /** Constexprs that are extents, and the usual heuristic for a K without a tail. */
    @Test
    void whatIsCompiledInIsACondition() throws IOException {
        Path cache = linear("y_ptr", "tt.dot %a, %b, %sum");
        recordLinear(cache, launch(130) + ", EVEN_K=True, SPLIT_K=3, n=70, NUM_SMS=4");
        assertThat(made(cache).err()).isEmpty();
        assertThat(description())
                .doesNotContain("TODO", "  n: ")
                .contains("  conditions: [\"k % 16 == 0\", \"k % 48 == 0\", \"n == 70\"]\n")
                .contains("  BLOCK_K: 16\n")
                .contains("  grid: [\"min(ceildiv(m, BLOCK_M) * ceildiv(n, BLOCK_N), NUM_SMS)\", \"SPLIT_K\"]\n");
    }

    /** A further variant in a cache of {@link #linear}, whose IR and text lack something. */
    private static void another(Path cache, String hash, int warps, String... lacking) throws IOException {
        Path folder = Files.createDirectories(cache.resolve(hash));
        for (String file : List.of("linear.json", "linear.ptx", "linear.ttir")) {
            String text = Files.readString(cache.resolve("linear").resolve(file))
                    .replace("12ab", hash)
                    .replace("\"num_warps\": 4", "\"num_warps\": " + warps);
            for (String each : lacking) {
                text = text.replace(each, "");
            }
            Files.writeString(folder.resolve(file), text);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "y_ptr | tt.load %a | %s | its IR has no tt.dot",
                "bias_ptr | tt.dot %a, %b | %s | it must store one matrix, and stores bias_ptr",
                "y_ptr | tt.dot %a, %b | t(130, 96, stride=(128, 1)) | x_ptr is not packed: [130, 96] elements with"
                        + " strides [128, 1]",
                "y_ptr | tt.dot %a, %b | t(130, 95) | the extents of x_ptr, w_ptr and y_ptr fit no [M,K], [K,N] and"
                        + " [M,N]",
                "y_ptr | tt.dot %a, %b | t(2, 2, 130, 96, stride=(1, 1, 96, 1)) | x_ptr has 4 dimensions; operands"
                        + " of a GEMM have 2, a bias has 1",
                "y_ptr | tt.dot %a, %b | t(130, 96, dtype='float64') | x_ptr has the type *fp64; operands have one of",
            })
    void aLaunchThatShowsNoGemmSaysWhy(String stored, String more, String x, String reason) throws IOException {
        Path cache = linear(stored, more);
        String launch = launch(130);
        recordLinear(cache, x.equals("%s") ? launch : launch.replace("t(2, 65, 96)", x));
        Seen seen = made(cache);

        assertThat(seen.exit()).isZero();
        assertThat(seen.out())
                .anyMatch(line -> line.startsWith("no GEMM is seen in the launches of linear: " + reason));
        assertThat(seen.out().getLast()).contains("fill what is called TODO");
        assertThat(description()).contains("problem: {a: TODO, b: TODO, d: TODO}", "  BLOCK_M: 64\n");
    }

    /** What launches do not tell is not guessed. */
    @Test
    void whatTheLaunchesDoNotTellStaysOpen() throws IOException {
        Path cache = linear("y_ptr", "tt.dot %a, %b, %sum");
        recordLinear(
                cache,
                "t(96, 96), t(96, 96), t(96), t(96, 96), 96, 96, 96, 96, 96, 1.0, " + BLOCKS.replace("relu", ""));
        Files.writeString(
                out().resolve("triton.json"),
                Files.readString(out().resolve("triton.json"))
                        .replace("stride_xm", "rows")
                        .replace("stride_ym", "z"));
        Seen seen = made(cache);

        assertThat(seen.out())
                .anyMatch(line -> line.startsWith("the extents of all launches fit several layouts of A and B"));
        assertThat(description())
                .contains("- u32: m  # u32, M i32\n")
                .contains("- u32: TODO  # m or n or k: launch it with other extents to tell; u32, stride_xm i32\n");
    }

    /** A weight of as many rows as columns: the stride that is 1 has a name. */
    @Test
    void aNamedStrideTellsTheLayoutOfASquareOperand() throws IOException {
        Path cache = linear("y_ptr", "tt.dot %a, %b, %sum");
        String square = "t(130, 96), t(96, 96), t(96, dtype=torch.float32), t(130, 96), 130, 96, 96, 96, 96, 1.0, ";
        recordLinear(cache, square + BLOCKS);
        assertThat(made(cache).out()).noneMatch(line -> line.startsWith("the extents"));
        assertThat(description()).contains("  b: {type: f16, major: n}\n").doesNotContain("or k:");
        Files.writeString(
                out().resolve("triton.json"),
                Files.readString(out().resolve("triton.json")).replace("stride_wn", "stride_wk"));
        Files.delete(folder.resolve("to/kernel.yaml"));
        made(cache);
        assertThat(description()).contains("  b: f16\n");
    }

    @Test
    void aRecordingMustBeOfTheCache() throws IOException {
        Path cache = linear("y_ptr", "tt.dot %a, %b, %sum");
        recordLinear(cache, launch(130));
        assertThat(made(CACHE).exit()).isEqualTo(2);
        assertThat(made(CACHE).err())
                .contains("--from: none of the kernels of " + CACHE
                        + " was launched; recorded are [linear], compiled into" + " another cache");
        Files.writeString(out().resolve("triton.json"), "{\"schemaVersion\": 1}");
        assertThat(made(cache).err()).contains("the document: needs the key 'kernels'");
        Files.delete(out().resolve("triton.json"));
        assertThat(made(cache).err()).contains("--from: ", "triton.json: cannot be read");
    }
}
