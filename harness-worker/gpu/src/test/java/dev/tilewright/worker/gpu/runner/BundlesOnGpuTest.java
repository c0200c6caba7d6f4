package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.bundle.TimedLaunch;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.launch.bundle.BundleKernel;
import dev.tilewright.launch.bundle.GpuTarget;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.link.Cubin;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerRequest.RunTrial;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trials of the example with an epilogue on a real GPU: right as it is, a mismatch with a mistake in it. */
class BundlesOnGpuTest extends OnGpu {

    private static final String EXAMPLE = "ptx-bias-relu";

    @ParameterizedTest
    @CsvSource({
        "8, 1000x1500x700",
        "16, 1000x1500x700",
        "32, 1000x1500x700",
        "16, 45x70x33",
        "32, 4096x2048x1024",
        "8, 1x999x7"
    })
    void theExampleIsTimed(int tile, String shape) throws IOException {
        TrialResult done = run(tile, shape);
        System.out.println(shape + " tile=" + tile + ": " + done);
        assertThat(done.outcome()).as(done.log()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(done.errorRatio()).isBetween(0.0, 1.0);
        assertThat(done.measurements()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mul.wide.u32 %offset, %column, 4; | mul.wide.u32 %offset, %row, 4;",
                "add.f32 %sum, %sum, %x; | mov.f32 %x, %sum;",
                "max.f32 %sum, %sum, 0f00000000; | mov.f32 %x, %sum;",
            })
    void itsMutantsAreMismatches(String from, String to) throws IOException {
        TrialResult done = run(16, "1000x1500x700", from, to);
        assertThat(done.outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(done.log()).contains("elements wrong, 0 still poisoned");
    }

    /** A bundle of cubins alone, as a user has them who keeps the texts: the same results, verified as closely. */
    @ParameterizedTest
    @CsvSource({"16, 1000x1500x700", "32, 45x70x33"})
    void cubinsAreTimedAsTheyAre(int tile, String shape) throws IOException {
        BundleFiles example = ExampleBundle.files(EXAMPLE);
        Map<String, byte[]> files = new HashMap<>();
        String yaml = example.text("kernel.yaml")
                .replace("kernel: {template: gemm.ptx}", "kernel: {file: \"gemm-${tile}.cubin\", target: sm_90a}")
                .replace("launch:\n", "launch:\n  entry: gemm\n");
        files.put("kernel.yaml", yaml.getBytes(StandardCharsets.UTF_8));
        Config config = Config.of(Map.of("tile", ParameterValue.of(tile)));
        BundleKernel.Text text = (BundleKernel.Text) Bundle.read(example).kernel(config);
        files.put("gemm-" + tile + ".cubin", cubin("tile=" + tile, text.ptx()).bytes());
        Bundle bundle = Bundle.read(BundleFiles.of(files));
        BundleKernel.Binary kernel = (BundleKernel.Binary) bundle.kernel(config);
        assertThat(kernel.compiledFor()
                        .runsOn(GpuTarget.parse(gpu.info().target()).orElseThrow()))
                .isTrue();
        TrialResult done = run(bundle, config, shape, kernel.entry(), new Cubin(kernel.cubin()));
        System.out.println(shape + " cubin of tile=" + tile + ": " + done);
        assertThat(done.outcome()).as(done.log()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(done.errorRatio()).isBetween(0.0, 1.0);
        assertThat(done.measurements()).isNotEmpty();
    }

    /** The example in CUDA C++, its struct of extents printed by a program of the host, and recorded. */
    @ParameterizedTest
    @CsvSource({"1000x1500x704", "45x70x33"})
    void whatAProgramOfTheHostPrintedIsLaunched(String shape) throws IOException {
        Bundle recorded =
                ExampleBundle.recorded(ProblemShape.parse(shape), gpu.info().smCount());
        Config config = Config.of(Map.of("TILE", ParameterValue.of(32), "STEP", ParameterValue.of(32)));
        BundleKernel.Text kernel = (BundleKernel.Text) recorded.kernel(config);
        TrialResult done = run(recorded, config, shape, kernel.entry(), cubin(kernel.file(), kernel.ptx()));
        System.out.println(shape + " as recorded: " + done);
        assertThat(done.outcome()).as(done.log()).isEqualTo(TrialOutcome.COMPLETED);
    }

    private TrialResult run(int tile, String shape, String... replaced) throws IOException {
        Bundle bundle = ExampleBundle.read(EXAMPLE, replaced);
        Config config = Config.of(Map.of("tile", ParameterValue.of(tile)));
        BundleKernel.Text kernel = (BundleKernel.Text) bundle.kernel(config);
        return run(bundle, config, shape, kernel.entry(), cubin("tile=" + tile, kernel.ptx()));
    }

    private TrialResult run(Bundle bundle, Config config, String shape, String entry, Cubin cubin) {
        Problem problem = bundle.problem().of(ProblemShape.parse(shape), 1);
        LaunchDescription launch =
                bundle.launch(problem, gpu.info().smCount(), config).of(entry);
        assertThat(TimedLaunch.refusal(problem, launch)).isEmpty();
        RunTrial trial = new RunTrial(
                problem, config, new Kernel.Assembled(cubin, launch, 0), null, SEED, List.of(Mode.SUSTAINED));
        return new TrialRunner(bench, phases()).run(trial).answer();
    }
}
