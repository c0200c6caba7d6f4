package dev.tilewright.api.web.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.ToyFamily;
import dev.tilewright.api.web.ConfigWords;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.sm90.Sm90GemmSpace;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GroundsTest {

    private static final Problem PROBLEM = Problem.of(new ProblemShape(5000, 1400, 1024), DataType.BF16);
    private static final Families FAMILIES = new Families(List.of(new Sm90GemmSpace(), new ToyFamily()));

    private static StudyTrial trial(String scheduler, int tileN, double ns) {
        Config config = Config.parse("scheduler=" + scheduler + " tileM=128 tileN=" + tileN
                + " tileK=64 consumers=2 mode=cooperative loadStages=4 clusterM=2 clusterN=1 multicast=both"
                + " rasterOrder=groupedM rasterGroup=8 gridSize=0 swizzle=128 epilogueN=64 registers=0 waitDepth=1");
        return new StudyTrial(
                UUID.randomUUID(),
                0,
                config,
                TrialOutcome.COMPLETED,
                null,
                null,
                List.of(new StudyTrial.Time(Stage.SCREEN, 3, ns, null, null, 1e6 / ns, null)));
    }

    private static @Nullable Double readsOfL2(String family, Testbed testbed, StudyTrial trial) {
        ConfigWords words = ConfigWords.of(FAMILIES, family, List.of(trial.config()));
        return Grounds.of(PROBLEM, testbed, words, Map.of())
                .side(trial, Stage.SCREEN)
                .l2Bytes();
    }

    @Test
    void aSmallerTileReadsMoreFromL2() {
        // 20 x 6 tiles of clusters of two CTAs, which have the rows of B in common, 1024 deep.
        assertThat(readsOfL2("sm90-gemm", ScriptedWorker.H200, trial("static", 256, 10_000)))
                .isEqualTo((6 * 5000 + 20 * 1400) * 1024 * 2.0);
        assertThat(readsOfL2("sm90-gemm", ScriptedWorker.SIMULATED, trial("single", 64, 11_000)))
                .isEqualTo((22 * 5000 + 20 * 1400) * 1024 * 2.0);
    }

    @Test
    void whatIsNotModelledHasNone() {
        StudyTrial trial = trial("static", 256, 10_000);
        assertThat(readsOfL2(ToyFamily.NAME, ScriptedWorker.H200, trial)).isNull();
        Testbed other = new Testbed(TestbedKind.CUDA, "NVIDIA A100", "580.1", "ptxas 13.0.88", 108, "factory");
        assertThat(readsOfL2("sm90-gemm", other, trial)).isNull();
        assertThat(readsOfL2("bundle:gone", ScriptedWorker.H200, trial)).isNull();
        assertThat(readsOfL2("sm90-gemm", ScriptedWorker.H200, trial("static", 250, 10_000)))
                .as("beyond the model")
                .isNull();
        ConfigWords words = ConfigWords.of(FAMILIES, "sm90-gemm", List.of(trial.config()));
        assertThat(Grounds.of(PROBLEM, null, words, Map.of()).model()).isEmpty();
    }
}
