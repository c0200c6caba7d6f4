package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.bundle.TimedLaunch;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.launch.bundle.BundleKernel;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.worker.gpu.cuda.EmulatedGpu;
import dev.tilewright.worker.gpu.measure.BusyMeter;
import dev.tilewright.worker.gpu.verify.KernelOracle;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.gpu.verify.TestDataStore;
import dev.tilewright.worker.gpu.verify.Verifier;
import dev.tilewright.worker.link.Cubin;
import dev.tilewright.worker.link.runner.Kernel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bundles as a runner loads, launches and verifies them: with their C, bias, workspaces and further expectations. */
class BundleOnEmulatedGpuTest {

    private static final long SEED = 11;

    private final EmulatedGpu gpu = new EmulatedGpu(1 << 13);
    private final KernelOracle oracle = new KernelOracle(gpu, new BusyMeter(gpu));
    private final TestDataStore store = new TestDataStore(gpu, oracle, 0);
    private final Verifier verifier = new Verifier(gpu, oracle);

    /** A bundle that is loaded for a problem. */
    private final class Loaded implements AutoCloseable {
        private final TestData data;
        private final LoadedKernel kernel;

        Loaded(Bundle bundle, Config config, ProblemShape shape, int batch) {
            Problem problem = bundle.problem().of(shape, batch);
            BundleKernel text = bundle.kernel(config);
            var launch = bundle.launch(problem, 2, config).of(text.entry());
            assertThat(TimedLaunch.refusal(problem, launch)).isEmpty();
            data = store.get(problem, SEED);
            Cubin module = new Cubin(((BundleKernel.Text) text).ptx().getBytes(StandardCharsets.US_ASCII));
            kernel = LoadedCubin.load(gpu, bundle.name(), new Kernel.Assembled(module, launch, 0), data);
        }

        /** As a trial does before timing. */
        List<String> before() {
            List<OperandSet> first = List.of(data.sets().getFirst());
            verifier.poison(first);
            kernel.poison();
            kernel.enqueue(0);
            return verifier.judge(data, kernel.expected(data, first), first).complaints();
        }

        /** As a trial does after it, on all sets. */
        List<String> afterLaunches(int launches) {
            verifier.poison(data.sets());
            kernel.forgetUsedSets();
            for (int i = 0; i < launches; i++) {
                kernel.enqueue(i % kernel.sets());
            }
            List<OperandSet> used = kernel.usedSets();
            return verifier.judge(data, kernel.expected(data, used), used).complaints();
        }

        @Override
        public void close() {
            kernel.close();
        }
    }

    private static Config tile(int tile) {
        return Config.of(Map.of("tile", ParameterValue.of(tile)));
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 16, 32})
    void theExampleWithABiasAndReluIsRight(int tile) throws IOException {
        try (Loaded loaded =
                new Loaded(ExampleBundle.read("ptx-bias-relu"), tile(tile), new ProblemShape(21, 37, 18), 1)) {
            assertThat(loaded.kernel.remarks()).isEmpty();
            assertThat(loaded.before()).isEmpty();
            assertThat(loaded.afterLaunches(2)).isEmpty();
        }
    }

    @Test
    void whatAProgramOfTheHostPrintedIsLaunched() throws IOException {
        ProblemShape shape = new ProblemShape(45, 70, 33);
        Config config = Config.of(Map.of("TILE", ParameterValue.of(32), "STEP", ParameterValue.of(32)));
        try (Loaded loaded = new Loaded(ExampleBundle.recorded(shape, 2), config, shape, 1)) {
            assertThat(loaded.before()).isEmpty();
            assertThat(loaded.afterLaunches(2)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bias along m | mul.wide.u32 %offset, %column, 4; | mul.wide.u32 %offset, %row, 4;",
                "no bias | add.f32 %sum, %sum, %x; | mov.f32 %x, %sum;",
                "no relu | max.f32 %sum, %sum, 0f00000000; | mov.f32 %x, %sum;",
                "relu first | add.f32 %sum, %sum, %x; | max.f32 %sum, %sum, 0f00000000; add.f32 %sum, %sum, %x;",
            })
    void itsMutantsAreWrong(String what, String from, String to) throws IOException {
        String whole =
                what.equals("relu first") ? "add.f32 %sum, %sum, %x;\n    max.f32 %sum, %sum, 0f00000000;" : from;
        try (Loaded loaded =
                new Loaded(ExampleBundle.read("ptx-bias-relu", whole, to), tile(8), new ProblemShape(21, 37, 9), 1)) {
            assertThat(loaded.before())
                    .as(what)
                    .singleElement()
                    .asString()
                    .contains("elements wrong, 0 still poisoned");
        }
    }

    @Test
    void whatItMayNotChangeIsCompared() throws IOException {
        String store = "st.global.f32 [%at], %sum;";
        String ofA = "st.global.f32 [%at], %sum;\n    setp.eq.u32 %p7, %r0, 0;\n    @%p7 st.global.f32 [%a], %sum;";
        try (Loaded loaded =
                new Loaded(ExampleBundle.read("ptx-bias-relu", store, ofA), tile(8), new ProblemShape(9, 7, 5), 1)) {
            // One CTA may have read A already, or not: that it was written is a fact.
            assertThat(loaded.before()).contains("A is expected to stay unchanged, and was written to");
        }
    }

    /** One thread for each element: D[m,n] = A[m,k] B[n,k] + ..., f32, with a place for more. */
    private static Bundle naive(String further, String body) {
        String yaml = """
            name: naive
            problem: {a: f32, b: f32, d: f32}
            %s
            kernel: naive.ptx
            """.formatted(further);
        String ptx = """
            .version 8.0
            .target sm_90a
            .address_size 64
            .visible .entry naive(.param .u64 a, .param .u64 b, .param .u64 d, .param .u64 more,
                .param .u32 m, .param .u32 n, .param .u32 k)
            {
                .reg .pred %%p<4>;
                .reg .b32 %%r<12>;
                .reg .b64 %%q<12>;
                .reg .f32 %%f<8>;
                ld.param.u64 %%q0, [a];
                ld.param.u64 %%q1, [b];
                ld.param.u64 %%q2, [d];
                ld.param.u64 %%q3, [more];
                ld.param.u32 %%r0, [m];
                ld.param.u32 %%r1, [n];
                ld.param.u32 %%r2, [k];
                mov.u32 %%r3, %%ctaid.x;
                mov.u32 %%r4, %%tid.x;
                mad.lo.u32 %%r3, %%r3, 32, %%r4;
                mul.lo.u32 %%r4, %%r0, %%r1;
                setp.ge.u32 %%p0, %%r3, %%r4;
                @%%p0 bra DONE;
                div.u32 %%r5, %%r3, %%r1;
                rem.u32 %%r6, %%r3, %%r1;
                mul.lo.u32 %%r5, %%r5, %%r2;
                mul.lo.u32 %%r6, %%r6, %%r2;
                mad.wide.u32 %%q4, %%r5, 4, %%q0;
                mad.wide.u32 %%q5, %%r6, 4, %%q1;
                mad.wide.u32 %%q6, %%r3, 4, %%q2;
                mov.f32 %%f0, 0f00000000;
                mov.u32 %%r7, 0;
            NEXT:
                ld.global.f32 %%f1, [%%q4];
                ld.global.f32 %%f2, [%%q5];
                fma.rn.f32 %%f0, %%f1, %%f2, %%f0;
                add.u64 %%q4, %%q4, 4;
                add.u64 %%q5, %%q5, 4;
                add.u32 %%r7, %%r7, 1;
                setp.lt.u32 %%p1, %%r7, %%r2;
                @%%p1 bra NEXT;
                %s
                st.global.f32 [%%q6], %%f0;
            DONE:
                ret;
            }
            """.formatted(body);
        return Bundle.read(BundleFiles.of(Map.of(
                "kernel.yaml", yaml.getBytes(StandardCharsets.UTF_8),
                "naive.ptx", ptx.getBytes(StandardCharsets.UTF_8))));
    }

    private static final String LAUNCH = """
        launch:
          grid: ceildiv(m * n, 32)
          block: 32
          parameters: [{pointer: A}, {pointer: B}, {pointer: D}, {pointer: %s}, {u32: m}, {u32: n}, {u32: k}]
        """;

    private static final ProblemShape SMALL = new ProblemShape(5, 13, 9);

    private static final Config NO_PARAMETERS = Config.of(Map.of());

    private static final String IN_PLACE = "epilogue: alpha=2,beta=3\n" + LAUNCH.formatted("D")
            + "  buffers:\n    C: {dtype: f32, shape: [m, n], init: {normal: {seed: 7}}}\n"
            + "    D: {dtype: f32, shape: [m, n], init: {normal: {seed: 7}}}\n";

    private static final String ADDS =
            "ld.global.f32 %f3, [%q6];\n mul.f32 %f3, %f3, 0f40400000;\n fma.rn.f32 %f0, %f0, 0f40000000, %f3;";

    /** D is C before each launch, however often it is launched. */
    @Test
    void cInPlaceIsThereBeforeEachLaunch() {
        try (Loaded loaded = new Loaded(naive(IN_PLACE, ADDS), NO_PARAMETERS, SMALL, 1)) {
            assertThat(loaded.kernel.entriesPerLaunch()).isEqualTo(2);
            assertThat(loaded.before()).isEmpty();
            assertThat(loaded.afterLaunches(2 * loaded.kernel.sets() + 1)).isEmpty();
        }
        String withoutBeta = ADDS.replace("0f40400000", "0f3F800000");
        try (Loaded loaded = new Loaded(naive(IN_PLACE, withoutBeta), NO_PARAMETERS, SMALL, 1)) {
            assertThat(loaded.before()).singleElement().asString().contains("elements wrong");
        }
    }

    private static final String COUNTER = LAUNCH.formatted("COUNTER")
            + "  buffers:\n    COUNTER: {dtype: u32, shape: 3, init: %s}\n  expect: [{unchanged: COUNTER}]\n";

    private static final String COUNTS = "mov.u32 %r8, 1;\n red.global.add.u32 [%q3], %r8;";

    @ParameterizedTest
    @ValueSource(strings = {"zeros", "{iota: {start: 4, step: 1}}"})
    void aBufferThatIsExpectedUnchangedIsCompared(String content) {
        String text = COUNTER.formatted(content);
        try (Loaded loaded = new Loaded(naive(text, ""), NO_PARAMETERS, SMALL, 1)) {
            assertThat(loaded.before()).isEmpty();
            assertThat(loaded.afterLaunches(2)).isEmpty();
        }
        try (Loaded loaded = new Loaded(naive(text, COUNTS), NO_PARAMETERS, SMALL, 1)) {
            assertThat(loaded.before()).containsExactly("COUNTER is expected to stay unchanged, and was written to");
        }
    }

    private static final String WORKSPACE =
            LAUNCH.formatted("WORK") + "  buffers:\n    WORK: {dtype: f32, shape: 4, init: %s}\n";

    /**
     * Adds what is in the workspace, and leaves zeros there: only its poison shows that it reads what it did not write.
     */
    @Test
    void aPoisonedWorkspaceIsPoisonedBeforeEachVerification() {
        String body = "ld.relaxed.gpu.global.f32 %f3, [%q3];\n add.f32 %f0, %f0, %f3;";
        for (int i = 0; i < 2; i++) {
            try (Loaded loaded = new Loaded(naive(WORKSPACE.formatted("poison"), body), NO_PARAMETERS, SMALL, 1)) {
                assertThat(loaded.before()).singleElement().asString().contains("65 of 65 elements wrong");
                loaded.kernel.buffer("WORK").ifPresent(work -> gpu.fill(work.address(), 0, work.bytes()));
                assertThat(loaded.before()).singleElement().asString().contains("65 of 65 elements wrong");
            }
        }
        try (Loaded loaded = new Loaded(naive(WORKSPACE.formatted("zeros"), body), NO_PARAMETERS, SMALL, 1)) {
            assertThat(loaded.before()).isEmpty();
        }
    }

    @Test
    void whatIsNotComparedIsNamed() {
        String text = LAUNCH.formatted("TABLE")
                + "  buffers:\n    TABLE: {dtype: u32, shape: 2, init: zeros}\n"
                + "  expect: [{values: {buffer: TABLE, values: [1, 2]}}]\n";
        try (Loaded loaded = new Loaded(naive(text, ""), NO_PARAMETERS, SMALL, 1)) {
            assertThat(loaded.kernel.remarks()).containsExactly("not compared on a GPU: content of TABLE");
        }
    }

    /** A reference that is made for an ending is kept with its data, and leaves with them. */
    @Test
    void referencesLeaveWithTheirData() throws IOException {
        int before = gpu.allocations();
        try (Loaded loaded = new Loaded(ExampleBundle.read("ptx-bias-relu"), tile(8), SMALL, 1);
                Loaded again = new Loaded(ExampleBundle.read("ptx-bias-relu"), tile(8), SMALL, 1)) {
            assertThat(again.data).isSameAs(loaded.data);
            assertThat(again.before()).isEmpty();
        }
        store.close();
        // One area of results stays with the verifier.
        assertThat(gpu.allocations()).isEqualTo(before + 1);
    }
}
