package dev.tilewright.api.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who leads in a final whose arms ran for different numbers of turns. */
class StandingTest {

    private static final Testbed TESTBED =
            new Testbed(TestbedKind.CUDA, "NVIDIA H200", "580", "ptxas 13.0", 132, "factory");

    private static FinalArm peer(int algorithm) {
        return new FinalArm(
                UUID.randomUUID(),
                "cublaslt algorithm=" + algorithm,
                null,
                null,
                "cublaslt",
                Config.of(Map.of("algorithm", ParameterValue.of(algorithm))),
                TrialOutcome.COMPLETED,
                "");
    }

    private static List<Measurement> timed(Stage stage, int blocks, double medianNs) {
        return List.of(new Measurement(Mode.SUSTAINED, stage, blocks, 10 * blocks, medianNs, null, null, null));
    }

    @Test
    void whoLeftEarlyIsNotTheBestPeerThoughItsTurnsWereFast() {
        FinalArm ours = new FinalArm(
                UUID.randomUUID(),
                "ours",
                UUID.randomUUID(),
                0,
                "toy",
                Config.of(Map.of()),
                TrialOutcome.COMPLETED,
                "");
        FinalArm left = peer(0);
        FinalArm slower = peer(1);
        FinalArm best = peer(2);
        FinalArm raced = peer(3);
        Standing standing = Standing.of(
                TESTBED,
                null,
                List.of(ours, left, slower, best, raced),
                Map.of(
                        ours.id(), timed(Stage.FINAL, 9, 1000),
                        left.id(), timed(Stage.FINAL, 6, 1010),
                        slower.id(), timed(Stage.FINAL, 9, 1030),
                        best.id(), timed(Stage.FINAL, 9, 1020),
                        raced.id(), timed(Stage.CONTEND, 20, 900)),
                List.of(
                        new FinalArm.Against(ours.id(), best.id(), Mode.SUSTAINED, new Ratio(1.02, 1.01, 1.03, 9)),
                        new FinalArm.Against(ours.id(), left.id(), Mode.SUSTAINED, new Ratio(1.04, 1.02, 1.06, 6))));
        assertThat(standing.bestPeer()).isNotNull();
        assertThat(standing.bestPeer().arm()).isEqualTo(best);
        assertThat(standing.toBestPeer()).isEqualTo(new Ratio(1.02, 1.01, 1.03, 9));
        assertThat(standing.toDefault()).as("what left keeps its ratio").isEqualTo(new Ratio(1.04, 1.02, 1.06, 6));
    }
}
