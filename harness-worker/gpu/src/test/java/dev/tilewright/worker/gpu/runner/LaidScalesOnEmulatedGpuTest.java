package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.bundle.TimedLaunch;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.sm90.Sm90Gemm;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.launch.writer.LaunchWriter;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
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

/** A kernel whose scales lie otherwise than those of the operands gets a copy that lies as it says. */
class LaidScalesOnEmulatedGpuTest {

    private static final String CONFIG = "clusterM=1 clusterN=1 consumers=2 epilogueN=32 gridSize=0 loadStages=3"
            + " mode=cooperative multicast=none rasterGroup=4 rasterOrder=alongM registers=232 scales=block"
            + " scheduler=static swizzle=128 tileK=128 tileLocation=raster tileM=128 tileN=64 typeA=e4m3 typeB=e4m3"
            + " waitDepth=0";

    private static final long SEED = 11;

    private final EmulatedGpu gpu = new EmulatedGpu(1 << 13);
    private final KernelOracle oracle = new KernelOracle(gpu, new BusyMeter(gpu));
    private final Verifier verifier = new Verifier(gpu, oracle);

    private static String changed(String text, String from, String to) {
        assertThat(text).contains(from);
        return text.replace(from, to);
    }

    /** Of 8x136x144 the scales of B are 2 lines of 2, whose pitch is 4; of 8x72x144 a line of 2. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "8x136x144 | \"rowStride\":4 | \"rowStride\":5 | {\"u32\":4},{\"u32\":2} | {\"u32\":5},{\"u32\":2} | 0",
                "8x136x144 | \"rowStride\":4 | \"rowStride\":5 | {\"u32\":4},{\"u32\":2} | {\"u32\":4},{\"u32\":2} | 1",
                "8x72x144  | \"shape\":[1,2],\"rowStride\":4 | \"shape\":[2,1] | \"b\":\"SCALE_B\""
                        + " | \"b\":{\"buffer\":\"SCALE_B\",\"layout\":\"KN\"} | 0",
            })
    void itReadsThem(String shape, String from, String to, String parameter, String passed, int complaints) {
        Problem problem = Problem.of(ProblemShape.parse(shape), DataType.E4M3).with(Scales.BLOCK);
        Config config = Config.parse(CONFIG);
        GemmKernel text = new Sm90Gemm().build(config, false);
        LaunchDescription ours = DescribedLaunch.of(problem, text.launch(problem, DeviceLimits.of(2), config));
        LaunchDescription launch =
                LaunchReader.described(changed(changed(LaunchWriter.json(ours), from, to), parameter, passed));
        assertThat(TimedLaunch.refusal(problem, launch)).isEmpty();
        assertThat(KernelMemory.writes(ours)).isFalse();
        assertThat(KernelMemory.writes(launch)).isTrue();
        Cubin module = new Cubin(text.text().getBytes(StandardCharsets.US_ASCII));
        try (TestData data = TestData.create(gpu, oracle, problem, SEED);
                LoadedKernel kernel = LoadedCubin.load(gpu, "kernel", new Kernel.Assembled(module, launch, 0), data)) {
            List<OperandSet> last = List.of(data.sets().getLast());
            verifier.poison(last);
            kernel.enqueue(data.sets().size() - 1);
            assertThat(verifier.judge(data, kernel.expected(data, last), last).complaints())
                    .hasSize(complaints);
        }
    }
}
