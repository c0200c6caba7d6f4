package dev.tilewright.worker.gpu.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.trial.Mode;
import dev.tilewright.worker.gpu.measure.SyntheticRounds.Truth;
import dev.tilewright.worker.gpu.stats.race.FinalRule;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FinalRunTest {

    private static final FinalRule RULE = FinalRule.STANDARD;
    private static final Truth OURS = new Truth("ours", 0, 0.001);
    private static final Truth BEST = new Truth("best peer", 0.02, 0.001);
    private static final Truth FAR = new Truth("another peer", 0.3, 0.001);

    @Test
    void aPeerThatIsSurelySlowerLeavesAtOnceUnlessItIsAGuestToo() {
        assertThat(turnsOf(FAR, List.of())).isLessThan(RULE.leastTurns());
        assertThat(turnsOf(FAR, List.of(FAR))).isEqualTo(RULE.leastTurns());
    }

    @Test
    void inTurnsOfASwingTheBestTwoGoOnAloneAfterTheFirstLookAndAGuestUntilTheLeastTurns() {
        Truth close = new Truth("close peer", 0.0201, 0.0001);
        Truth best = new Truth("best peer", 0.02, 0.0001);
        FinalRule rule = FinalRule.OF_SWINGS;
        SyntheticRounds rounds = new SyntheticRounds(new Random(20_261_127), 1);
        FinalRun.Outcome outcome = new FinalRun(rounds, rule)
                .run(new FinalRun.Field<>(List.of(OURS), List.of(close, best), List.of(FAR), null));
        assertThat(outcome.log())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("final: after 2 turns ours and")
                        .endsWith("go on alone"));
        Timed timed = rounds.timed();
        assertThat(timed.runs(FAR.name(), Mode.SUSTAINED)).hasSize(rule.leastTurns());
        int ofClose = timed.runs(close.name(), Mode.SUSTAINED).size();
        int ofBest = timed.runs(best.name(), Mode.SUSTAINED).size();
        assertThat(Math.min(ofClose, ofBest)).as("of the peer that left").isEqualTo(rule.firstLook());
        assertThat(Math.max(ofClose, ofBest))
                .isEqualTo(timed.runs(OURS.name(), Mode.SUSTAINED).size())
                .isGreaterThan(rule.leastTurns());
    }

    private static int turnsOf(Truth arm, List<Truth> guests) {
        SyntheticRounds rounds = new SyntheticRounds(new Random(20_261_126), 1);
        new FinalRun(rounds, RULE).run(new FinalRun.Field<>(List.of(OURS), List.of(BEST, FAR), guests, null));
        return rounds.timed().runs(arm.name(), Mode.SUSTAINED).size();
    }
}
