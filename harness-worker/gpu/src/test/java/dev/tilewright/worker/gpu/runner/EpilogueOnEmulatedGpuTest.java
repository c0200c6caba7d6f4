package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.sm90.Sm90Gemm;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
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

/** Kernels of ours with an epilogue, as a runner loads, launches and verifies them, and as anchors. */
class EpilogueOnEmulatedGpuTest {

    private static final String CONFIG =
            "clusterM=1 clusterN=1 clusterOrder=launch consumers=2 ctasPerSm=1 epilogueN=32"
                    + " epilogueStages=2 gridSize=0 l2Hint=none l2Promotion=128 loadStages=3 loadStart=free mode=cooperative"
                    + " multicast=none rasterGroup=4 rasterOrder=alongM registers=232 scheduler=static splitK=1 swapAB=0"
                    + " swizzle=128 tileK=64 tileLocation=raster tileM=128 tileN=64 waitDepth=1";

    private static final long SEED = 11;

    private final EmulatedGpu gpu = new EmulatedGpu(1 << 13);
    private final BusyMeter meter = new BusyMeter(gpu);
    private final KernelOracle oracle = new KernelOracle(gpu, meter);
    private final Verifier verifier = new Verifier(gpu, oracle);

    private static Problem problem(String epilogue) {
        return new Problem(
                List.of(ProblemShape.parse("136x72x72")),
                1,
                OperandTypes.parse("bf16,bf16,bf16"),
                OperandMajors.DEFAULT,
                Scenario.QUIET,
                Epilogue.parse(epilogue));
    }

    private static Kernel.Assembled kernel(Problem problem, String epilogueOfText) {
        Config config = Config.parse(CONFIG).with("epilogue=" + Epilogue.parse(epilogueOfText));
        GemmKernel text = new Sm90Gemm().build(config, false);
        return new Kernel.Assembled(
                new Cubin(text.text().getBytes(StandardCharsets.US_ASCII)),
                DescribedLaunch.of(
                        problem, text.launch(problem.with(Epilogue.parse(epilogueOfText)), DeviceLimits.of(2), config)),
                0);
    }

    private List<String> complaints(LoadedKernel kernel, TestData data) {
        List<OperandSet> first = List.of(data.sets().getFirst());
        verifier.poison(first);
        kernel.enqueue(0);
        return verifier.judge(data, kernel.expected(data, first), first).complaints();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bias,gelu | bias,relu",
                "gelu-erf,beta=0.5,bias-m,clamp=-1..1 | beta=0.5,bias-m,gelu-erf,clamp=-1..1",
                "alpha=2,bias | bias,alpha=2",
            })
    void itIsRightAlsoAsAnAnchorAndAnotherIsWrong(String epilogue, String other) {
        Problem problem = problem(epilogue);
        try (TestData data = TestData.create(gpu, oracle, problem, SEED);
                LoadedKernel right = LoadedCubin.load(gpu, "right", kernel(problem, epilogue), data);
                LoadedKernel wrong = LoadedCubin.load(gpu, "wrong", kernel(problem, other), data);
                AnchorSlot anchors = new AnchorSlot(gpu, meter, verifier)) {
            assertThat(complaints(right, data)).isEmpty();
            assertThat(complaints(wrong, data)).singleElement().asString().contains("elements wrong, 0 still poisoned");
            assertThat(anchors.get(kernel(problem, epilogue), data)).isInstanceOf(AnchorSlot.Answer.Ready.class);
        }
    }
}
