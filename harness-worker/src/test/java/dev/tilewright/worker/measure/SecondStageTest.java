package dev.tilewright.worker.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.stats.TwoStage;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class SecondStageTest {

    private static final TwoStage PLAN = new TwoStage(0.005, 40);
    private static final String NONE = "no second stage: there are no two arms whose ratio it would be for";

    private final List<TimedBlock> blocks = new ArrayList<>();

    /** Ten turns of an arm, by turns slower and faster by a share. */
    private void arm(String name, double nanos, double share) {
        int position = (int) blocks.stream().map(TimedBlock::arm).distinct().count();
        for (int turn = 0; turn < 10; turn++) {
            double launchNs = nanos * (1 + (turn % 2 == 0 ? share : -share));
            Run run = new Run(100, launchNs, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), 0);
            blocks.add(new TimedBlock(Stage.FINAL, Question.STEADY_STATE, Mode.SUSTAINED, turn, position, name, run));
        }
    }

    private SecondStage after(List<String> ours, List<String> peers) {
        return SecondStage.after(new Timed(blocks, List.of(), List.of()), ours, peers, PLAN);
    }

    @Test
    void ourBestAgainstTheBestPeerDecides() {
        arm("ours-slow", 1200, 0.2);
        arm("ours-best", 1000, 0.012);
        arm("peer-slow", 1300, 0.2);
        arm("peer-best", 1100, 0);
        assertThat(after(List.of("ours-slow", "ours-best"), List.of("peer-slow", "peer-best")))
                .isEqualTo(new SecondStage(
                        23, "10 turns gave the ratio of ours-best to peer-best within +-0.91 %: 23 more for 0.5 %"));
    }

    @Test
    void aCalmPairNeedsNoMoreHoweverNoisyTheOthers() {
        arm("noisy", 1001, 0.2);
        arm("calm", 900, 0.001);
        arm("peer", 1000, 0);
        assertThat(after(List.of("noisy", "calm"), List.of("peer")))
                .isEqualTo(new SecondStage(
                        0, "10 turns gave the ratio of calm to peer within +-0.08 %: no more for 0.5 %"));
    }

    @Test
    void theMostIsSaidWhereItDoesNotSuffice() {
        arm("ours", 1000, 0.03);
        arm("peer", 1000, 0);
        assertThat(after(List.of("ours"), List.of("peer")))
                .isEqualTo(new SecondStage(
                        30,
                        "10 turns gave the ratio of ours to peer within +-2.29 %: 30 more, the most there may be;"
                                + " 0.5 % would take 195"));
    }

    @Test
    void withoutAPeerOurBestTwoDecide() {
        arm("third", 1200, 0.2);
        arm("second", 1050, 0.012);
        arm("first", 1000, 0);
        SecondStage stage = after(List.of("third", "second", "first"), List.of());
        assertThat(stage.more()).isEqualTo(23);
        assertThat(stage.why()).startsWith("10 turns gave the ratio of first to second within +-0.91 %");
    }

    @Test
    void oneArmAloneHasNoRatioToMakeNarrower() {
        arm("ours", 1000, 0.2);
        arm("peer", 1000, 0.2);
        assertThat(after(List.of("ours"), List.of())).isEqualTo(new SecondStage(0, NONE));
        assertThat(after(List.of(), List.of("peer"))).isEqualTo(new SecondStage(0, NONE));
        assertThat(after(List.of(), List.of())).isEqualTo(new SecondStage(0, NONE));
    }
}
