package dev.tilewright.worker.gpu.stats.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.trial.Ratio;
import dev.tilewright.worker.gpu.stats.PairedBlocks;
import dev.tilewright.worker.gpu.stats.race.FinalRule.Answer;
import org.junit.jupiter.api.Test;

class FinalRuleTest {

    private static final FinalRule RULE = FinalRule.STANDARD;

    private static Ratio wide(double half) {
        return new Ratio(1.02, 1.02 * Math.exp(-half), 1.02 * Math.exp(half), 6);
    }

    @Test
    void endsWhereTheIntervalIsNarrowOrTurnsAndRunsAreUsedUp() {
        assertThat(RULE.answer(wide(0.0049), 6, 12)).isEqualTo(Answer.NARROW);
        assertThat(RULE.answer(wide(0.0051), 6, 12)).isEqualTo(Answer.GO_ON);
        assertThat(RULE.answer(wide(0.0099), 15, 29)).isEqualTo(Answer.GO_ON);
        assertThat(RULE.answer(wide(0.0099), 15, 30)).isEqualTo(Answer.ENOUGH);
        assertThat(RULE.answer(wide(0.0101), 15, 30)).as("over 1 %").isEqualTo(Answer.GO_ON);
        assertThat(RULE.answer(wide(0.03), 60, 120)).isEqualTo(Answer.ENOUGH);
        assertThat(FinalRule.OF_SWINGS.answer(wide(0.001), 3, 6))
                .as("on fewer than four turns nothing is stated")
                .isEqualTo(Answer.GO_ON);
        assertThat(FinalRule.OF_SWINGS.answer(wide(0.001), 4, 8)).isEqualTo(Answer.NARROW);
    }

    @Test
    void eachBoundSharesItsErrorAmongThoseThatItMightFlatter() {
        PairedBlocks pair = PairedBlocks.of(
                new double[] {100, 101, 99, 100, 102, 100}, new double[] {102, 103, 101.5, 102.2, 103.5, 102.3});
        Ratio plain = FinalRule.ratio(pair, 1, 1);
        assertThat(plain.high() / plain.low())
                .as("wider than 95 %")
                .isGreaterThan(pair.ratio().high() / pair.ratio().low());
        assertThat(plain.value()).isCloseTo(pair.ratio().value(), within(1e-12));
        Ratio peers = FinalRule.ratio(pair, 1, 3);
        assertThat(peers.low()).isEqualTo(plain.low());
        assertThat(peers.high()).isGreaterThan(plain.high());
        Ratio ours = FinalRule.ratio(pair, 3, 1);
        assertThat(ours.low()).isLessThan(plain.low());
        assertThat(ours.high()).isEqualTo(plain.high());
        assertThat(FinalRule.ratio(pair, 0, 0)).as("nobody is as one").isEqualTo(plain);
    }

    @Test
    void aRuleMakesSense() {
        assertThatThrownBy(() -> new FinalRule(0, 3, 6, 60, 100, 200, RULE.leaving()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got 0.0, 3, 6 and 60");
        assertThatThrownBy(() -> new FinalRule(0.005, 1, 6, 60, 100, 200, RULE.leaving()))
                .hasMessageContaining("at least 2 turns");
        assertThatThrownBy(() -> new FinalRule(0.005, 3, 6, 5, 100, 200, RULE.leaving()))
                .hasMessageContaining("got 0.005, 3, 6 and 5");
    }
}
