package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.TileGrid;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelRequestsTest {

    private final ModelRequests model = new ModelRequests("h200");
    private final DeviceLimits limits = DeviceLimits.of(model.ready().smCount());
    private final List<String> announced = new ArrayList<>();

    private RunnerReply answer(RunnerRequest request) {
        RequestHandler.Answer answer = model.answer(request, new Phases(System::nanoTime, announced::add));
        assertThat(answer.usable()).isTrue();
        return answer.reply().get();
    }

    private TrialResult predict(ProblemShape shape, Config config) {
        return result(answer(new RunnerRequest.Predict(Problem.of(shape, DataType.BF16), config, 1)));
    }

    private static TrialResult result(RunnerReply reply) {
        return ((RunnerReply.TrialDone) reply).result();
    }

    private KernelLaunch launch(ProblemShape shape, Config config) {
        return GemmFamilies.standard()
                .named("sm90-gemm")
                .build(config, false)
                .launch(Problem.of(shape, DataType.BF16), limits, config);
    }

    private Stream<Config> sample(ProblemShape shape, int count, long seed) {
        SearchSpace space =
                GemmFamilies.standard().named("sm90-gemm").space().space(Problem.of(shape, DataType.BF16), limits);
        SplittableRandom random = new SplittableRandom(seed);
        SpaceTree tree = SpaceTree.of(space);
        return Stream.generate(() -> tree.draw(random)).limit(count);
    }

    @Test
    void saysThatItIsSimulated() {
        RunnerReply.Ready ready = model.ready();
        assertThat(ready.kind()).isEqualTo(TestbedKind.SIMULATED);
        assertThat(ready.device()).isEqualTo("h200");
        assertThat(ready.smCount()).isEqualTo(132);
        assertThat(ready.clockPolicy()).startsWith("modelled");
    }

    @ParameterizedTest
    @CsvSource({"2048,1024,768", "5000,5000,5056", "64,8192,512", "1,8,8", "300,136,72"})
    void predictsEveryConfigOfTheFamilyAndLaunchesWhatTheKernelLaunches(int m, int n, int k) {
        ProblemShape shape = new ProblemShape(m, n, k);
        sample(shape, 40, 7).forEach(config -> {
            TrialResult result = predict(shape, config);

            assertThat(result.outcome()).as("%s: %s", config, result.log()).isEqualTo(TrialOutcome.COMPLETED);
            assertThat(result.errorRatio()).isNull();
            assertThat(result.measurements()).singleElement().satisfies(predicted -> {
                assertThat(predicted.mode()).isEqualTo(Mode.SUSTAINED);
                assertThat(predicted.stage()).isEqualTo(Stage.SCREEN);
                assertThat(predicted.ciLowNs()).isNull();
                assertThat(predicted.ciHighNs()).isNull();
                assertThat(predicted.medianNs()).isPositive();
            });
            // Of a split tile each piece is counted where it was computed.
            int tiles = outputTiles(shape, config);
            assertThat(result.evidence().tilesPerSm()).hasSize(132);
            assertThat(result.evidence().tilesPerSm().stream()
                            .mapToInt(Integer::intValue)
                            .sum())
                    .as("output tiles of %s", config)
                    .isEqualTo(tiles);
            KernelLaunch launch = launch(shape, config);
            assertThat(result.executed().clusterSize()).isEqualTo(launch.clusterSize());
            assertThat(result.executed().threads()).isEqualTo(launch.threads());
            assertThat(result.executed().gridX()).as("grid of %s", config).isEqualTo(launch.gridX());
            assertThat(result.timesNs()).containsOnlyKeys("measure");
            assertThat(result.log()).startsWith("simulated");
        });
    }

    /** Tiles of CTAs that hold output; of a tile that is split all its pieces, or the parts of its cluster. */
    private static int outputTiles(ProblemShape shape, Config config) {
        TileGrid grid = TileGrid.of(shape, config);
        int parts = config.has("clusterK") ? config.whole("clusterK") : 1;
        return grid.tilesM() * grid.tilesN() * config.whole("splitK") * parts;
    }

    @ParameterizedTest
    @CsvSource({"single", "static", "atomic"})
    void predictsHeldSmsByTheirNames(String scheduler) {
        ProblemShape shape = new ProblemShape(4096, 5120, 1024);
        Problem busy = Problem.of(shape, DataType.BF16).beside(new Scenario(16));
        // Of clusters of four some wait on a quiet GPU too, so that held SMs cost a static grid nothing more. A grid of
        // all resident CTAs has fewer where SMs are held.
        Config config = sample(shape, 400, 4)
                .filter(drawn -> drawn.name("scheduler").equals(scheduler))
                .filter(drawn -> drawn.whole("clusterM") * drawn.whole("clusterN") <= 2)
                .filter(drawn -> scheduler.equals("single") || drawn.whole("gridSize") > 0)
                .findFirst()
                .orElseThrow();
        TrialResult done = result(answer(new RunnerRequest.Predict(busy, config, 1)));
        assertThat(done.outcome()).as(done.log()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(done.evidence().heldSms()).hasSize(16);
        assertThat(done.evidence().heldSms())
                .allMatch(sm -> done.evidence().tilesPerSm().get(sm) == 0);
        assertThat(done.measurements().getFirst().medianNs())
                .isGreaterThan(predict(shape, config).measurements().getFirst().medianNs());
        assertThat(done.executed().gridX())
                .as("the launch knows nothing of it")
                .isEqualTo(launch(shape, config).gridX());
    }

    /** On 148 SMs, 512 tiles: who asks gets as many as were not his own, and who does not ask steals nothing. */
    @ParameterizedTest
    @CsvSource({"single", "static", "atomic", "clc"})
    void predictsBlackwellWithTheEvidenceOfItsScheduler(String scheduler) {
        ModelRequests blackwell = new ModelRequests("b200");
        Problem problem = Problem.of(new ProblemShape(2048, 4096, 768), DataType.BF16);
        Config config = Config.parse("accumulatorStages=1 clcPrefetch=1 clcStages=1 clcThrottle=none "
                + "clusterM=1 clusterN=1 ctaGroup=1 epilogueN=16 gridSize=0 "
                + "inputType=bf16 loadStages=3 multicast=none outputType=bf16 "
                + "rasterGroup=1 rasterOrder=alongM tileK=32 tileM=128 tileN=128 "
                + "scheduler=" + scheduler);
        RequestHandler.Answer answer = blackwell.answer(
                new RunnerRequest.Predict(problem, config, 1), new Phases(System::nanoTime, announced::add));

        SchedulerEvidence evidence = result(answer.reply().get()).evidence();
        assertThat(evidence.tilesPerSm()).hasSize(148);
        assertThat(evidence.firstStartNs()).hasSize(148);
        assertThat(evidence.lastEndNs()).hasSize(148).allMatch(end -> end > 0);
        int stolen =
                evidence.stealsPerCluster().stream().mapToInt(Integer::intValue).sum();
        switch (scheduler) {
            case "atomic", "clc" -> {
                assertThat(stolen + evidence.stealsPerCluster().size()).isEqualTo(16 * 32);
                assertThat(evidence.failedQueries())
                        .isEqualTo(evidence.stealsPerCluster().size());
            }
            default -> {
                assertThat(evidence.stealsPerCluster()).isEmpty();
                assertThat(evidence.failedQueries()).isNull();
            }
        }
    }

    @Test
    void saysTheSameTwice() {
        ProblemShape shape = new ProblemShape(2048, 1024, 768);
        Config config = sample(shape, 1, 3).findFirst().orElseThrow();

        assertThat(predict(shape, config).measurements())
                .isEqualTo(predict(shape, config).measurements());
        assertThat(announced).containsExactly("measure", "measure");
    }

    @Test
    void aConfigBeyondTheModelIsNotBlamed() {
        ProblemShape shape = new ProblemShape(2048, 1024, 768);
        Config config = sample(shape, 1, 3).findFirst().orElseThrow().with("tileM", ParameterValue.of(0));

        TrialResult done = predict(shape, config);
        assertThat(done.outcome()).isEqualTo(TrialOutcome.INFRASTRUCTURE);
        assertThat(done.log()).startsWith("the model has no answer: ").contains("0");
        assertThat(done.measurements()).isEmpty();
    }

    @Test
    void runsNoKernels() {
        RunnerRequest round = new RunnerRequest.RunFinal(
                Problem.of(new ProblemShape(64, 128, 256), DataType.BF16),
                List.of(),
                3,
                null,
                List.of("cublaslt"),
                1,
                List.of());

        assertThat(answer(round)).isEqualTo(new RunnerReply.Failed("the model h200 runs no kernels"));
        assertThat(answer(new RunnerRequest.Probe())).isInstanceOf(RunnerReply.Healthy.class);
    }

    @Test
    void namesAnUnknownGpu() {
        assertThatThrownBy(() -> new ModelRequests("b300"))
                .hasMessageContaining("b300")
                .hasMessageContaining("h200");
    }
}
