package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.sm90.Sm90Gemm;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.launch.writer.LaunchWriter;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.export.DescribedLaunch;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.worker.gpu.cuda.EmulatedGpu;
import dev.tilewright.worker.gpu.measure.BusyMeter;
import dev.tilewright.worker.gpu.verify.KernelOracle;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.gpu.verify.Verifier;
import dev.tilewright.worker.link.Cubin;
import dev.tilewright.worker.link.runner.Kernel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels with scales of rows, as a runner loads, launches and verifies them, and as anchors. */
class RowScalesOnEmulatedGpuTest {

    private static final String CONFIG =
            "clusterM=1 clusterN=1 clusterOrder=launch consumers=2 ctasPerSm=1 epilogueN=32 epilogueStages=2 gridSize=0"
                    + " l2Hint=none l2Promotion=128 loadStages=3 loadStart=free mode=cooperative multicast=none"
                    + " rasterGroup=4 rasterOrder=alongM registers=232 scales=row scheduler=static splitK=1 swapAB=0"
                    + " swizzle=128 tileK=128 tileLocation=raster tileM=128 tileN=64 typeA=e4m3 typeB=e5m2 waitDepth=1";

    private static final long SEED = 11;

    private final EmulatedGpu gpu = new EmulatedGpu(1 << 13);
    private final BusyMeter meter = new BusyMeter(gpu);
    private final KernelOracle oracle = new KernelOracle(gpu, meter);
    private final Verifier verifier = new Verifier(gpu, oracle);

    private static Problem problem(String shape, String epilogue) {
        return new Problem(
                List.of(ProblemShape.parse(shape)),
                1,
                OperandTypes.parse("e4m3,e5m2,bf16"),
                OperandMajors.DEFAULT,
                Scenario.QUIET,
                Epilogue.parse(epilogue),
                Scales.ROW);
    }

    /** @param exchanged whether the kernel is passed the scales of A for those of B, and those of B for those of A */
    private static Kernel.Assembled kernel(Problem problem, boolean exchanged) {
        Config config = Config.parse(CONFIG);
        Config whole = problem.epilogue().isNone() ? config : config.with("epilogue=" + problem.epilogue());
        GemmKernel text = new Sm90Gemm().build(whole, false);
        LaunchDescription launch = DescribedLaunch.of(problem, text.launch(problem, DeviceLimits.of(2), whole));
        String written = LaunchWriter.json(launch);
        String passed = written.replace("\"pointer\":\"SCALE_A\"", "\"pointer\":\"SCALE_X\"")
                .replace("\"pointer\":\"SCALE_B\"", "\"pointer\":\"SCALE_A\"")
                .replace("\"pointer\":\"SCALE_X\"", "\"pointer\":\"SCALE_B\"");
        return new Kernel.Assembled(
                new Cubin(text.text().getBytes(StandardCharsets.US_ASCII)),
                exchanged ? LaunchReader.described(passed) : launch,
                0);
    }

    private List<String> complaints(LoadedKernel kernel, TestData data) {
        List<OperandSet> last = List.of(data.sets().getLast());
        verifier.poison(last);
        kernel.enqueue(data.sets().size() - 1);
        return verifier.judge(data, kernel.expected(data, last), last).complaints();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"136x40x144 | ''", "72x72x144 | bias,gelu"})
    void itIsRightAlsoAsAnAnchor(String shape, String epilogue) {
        Problem problem = problem(shape, epilogue);
        try (TestData data = TestData.create(gpu, oracle, problem, SEED);
                LoadedKernel right = LoadedCubin.load(gpu, "right", kernel(problem, false), data);
                AnchorSlot anchors = new AnchorSlot(gpu, meter, verifier)) {
            assertThat(complaints(right, data)).isEmpty();
            assertThat(anchors.get(kernel(problem, false), data)).isInstanceOf(AnchorSlot.Answer.Ready.class);
        }
    }

    /** On a square the vectors are as long as each other. */
    @ParameterizedTest
    @CsvSource({"true, 1", "false, 0"})
    void exchangedVectorsAreSeen(boolean exchanged, int complaints) {
        Problem problem = problem("72x72x144", "");
        try (TestData data = TestData.create(gpu, oracle, problem, SEED);
                LoadedKernel kernel = LoadedCubin.load(gpu, "kernel", kernel(problem, exchanged), data)) {
            assertThat(complaints(kernel, data)).hasSize(complaints);
        }
    }
}
