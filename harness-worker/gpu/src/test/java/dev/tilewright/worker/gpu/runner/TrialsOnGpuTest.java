package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.GpuTime;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.link.runner.RunnerRequest;
import dev.tilewright.worker.link.runner.RunnerRequest.RunFinal;
import dev.tilewright.worker.link.runner.RunnerRequest.RunTrial;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trials of sm90-gemm on a real GPU, of one GEMM and of several, one by one and in a row, and a final. */
class TrialsOnGpuTest extends OnGpu {

    private static final String TABLE = "clusterM=1 clusterN=1 epilogueN=64 gridSize=0 loadStages=4 multicast=none"
            + " rasterGroup=4 rasterOrder=alongM registers=232 swizzle=128 tileK=64 tileLocation=table waitDepth=1"
            + " clcThrottle=none consumers=2 tileM=128 tileN=128 mode=cooperative tileOrder=asGiven ";

    @Override
    void log(String assembler) {
        System.out.println("driver's assembler: " + assembler);
    }

    @Test
    void configsOfOurFamilyRunThroughTrialAndFinal() {
        Problem problem = problem("1000x1512x704");
        for (Config config : drawn(problem, new Random(1), 6)) {
            TrialResult done = completed(request(problem, config, Mode.SUSTAINED, Mode.COLD));
            assertThat(done.evidence().tilesPerSm()).hasSize(gpu.info().smCount());
        }
        FinalResult round = new FinalRunner(bench, phases())
                .run(new RunFinal(
                        problem, List.of(), 3, null, List.of("cublaslt"), 8, List.of(Mode.SUSTAINED, Mode.COLD)));
        assertThat(round.arms()).extracting(Report.Arm::outcome).containsOnly(TrialOutcome.COMPLETED);
    }

    /** The account of trials in a row, each known before the one ahead of it is answered. */
    @Test
    void trialsInARowKeepTheGpuAtWork() {
        Problem problem = problem("4096x3840x4096");
        List<RunTrial> trials = drawn(problem, new SplittableRandom(5), 12).stream()
                .map(config -> request(problem, config, Mode.SUSTAINED))
                .toList();
        double busy = 0;
        double waited = 0;
        for (int i = 0; i < trials.size(); i++) {
            Optional<RunnerRequest> next = i + 1 < trials.size() ? Optional.of(trials.get(i + 1)) : Optional.empty();
            TrialResult done = new TrialRunner(bench, phases(), () -> next)
                    .run(trials.get(i))
                    .answer();
            System.out.println(trials.get(i).config() + ": " + done.outcome() + " " + done.timesNs());
            assertThat(done.outcome()).as(done.log()).isEqualTo(TrialOutcome.COMPLETED);
            // The first ones are run by code that is not compiled yet.
            if (i >= trials.size() / 2) {
                busy += done.timesNs().get(GpuTime.BUSY);
                waited += done.timesNs().entrySet().stream()
                        .filter(part -> part.getKey().startsWith(GpuTime.WAIT))
                        .mapToLong(part -> part.getValue())
                        .sum();
            }
        }
        assertThat(waited / busy)
                .as("share of the work that is waited beside it")
                .isLessThan(0.08);
    }

    /** Every scheduler in every mode that it has, over groups with all tails and of very different depth. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "scheduler=single",
                "scheduler=single tileN=256 tileOrder=longestFirst",
                "scheduler=static",
                "scheduler=static tileN=176 clusterM=2 multicast=both",
                "scheduler=static mode=pingpong tileM=64",
                "scheduler=static mode=pingpong tileM=64 tileN=176 tileOrder=longestFirst",
                "scheduler=atomic",
                "scheduler=atomic clcThrottle=loaded clusterN=2 multicast=both",
                "scheduler=atomic mode=pingpong tileM=64",
                "scheduler=atomic clcThrottle=loaded mode=pingpong tileM=64 tileN=176",
                "scheduler=atomic clcThrottle=loaded mode=pingpong tileM=64 clusterM=2 multicast=both"
            })
    void severalGemmsRunThroughTrials(String parameters) {
        Config config = Config.parse(TABLE).with(parameters);
        for (Problem problem : List.of(
                several(1, "1000x1512x72 2056x520x4104 1000x1512x72 136x2000x264 1x8x8"),
                several(1, "130x264x1032 40x24x64"),
                several(3, "392x1096x520"),
                several(2, "1000x520x136 72x2056x2056"))) {
            TrialResult done = completed(request(problem, config, Mode.SUSTAINED, Mode.COLD));
            assertThat(done.evidence().tilesPerSm()).hasSize(gpu.info().smCount());
        }
    }
}
