package dev.tilewright.gate.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StageDecisionTest {

    private static final GateRule RULE = GateRule.STANDARD;
    private static final Margins MARGINS = Margins.STANDARD;

    private static Map<GateVerdict, Integer> verdicts(double percent, int cases, GateRule rule) {
        Random random = new Random(Math.round(1000 * percent) + 77);
        Map<GateVerdict, Integer> counts = new EnumMap<>(GateVerdict.class);
        for (int i = 0; i < cases; i++) {
            List<PairedBlock> blocks = Blocks.normal(random, 40, Blocks.slower(percent), Blocks.DEVIATION);
            GateVerdict verdict =
                    StageBounds.of(rule, MARGINS, Blocks.logRatios(blocks)).verdict(MARGINS);
            counts.merge(verdict, 1, Integer::sum);
        }
        return counts;
    }

    @Test
    void equalKernelsPass() {
        assertThat(verdicts(0, 300, RULE)).containsOnlyKeys(GateVerdict.PASS);
        assertThat(verdicts(0, 300, RULE.among(50))).containsOnlyKeys(GateVerdict.PASS);
    }

    @Test
    void twoPercentFailAndOneWarns() {
        assertThat(verdicts(2, 200, RULE.among(50))).containsOnlyKeys(GateVerdict.FAIL);
        assertThat(verdicts(5, 100, RULE)).containsOnlyKeys(GateVerdict.FAIL);
        Map<GateVerdict, Integer> one = verdicts(1, 300, RULE);
        assertThat(one.getOrDefault(GateVerdict.WARN, 0) + one.getOrDefault(GateVerdict.FAIL, 0))
                .as("%s", one)
                .isGreaterThan(280);
        assertThat(one.getOrDefault(GateVerdict.FAIL, 0)).as("%s", one).isLessThan(10);
        assertThat(verdicts(-2, 100, RULE)).containsOnlyKeys(GateVerdict.FASTER);
    }

    /** At a first look of many, the error that may be spent is so small that there is no bound in any number. */
    @Test
    void aBoundIsANumberThatCanBeRead() {
        GateRule looksOften = new GateRule(0.01, List.of(10, 16, 20, 25, 32, 40, 50, 64, 80));
        StageDecision decision = StageDecision.of(looksOften, MARGINS, Blocks.normal(new Random(5), 10, 0, 3));
        Effect effect = Objects.requireNonNull(decision.effect());
        assertThat(effect.high()).isEqualTo(Effect.MOST_PERCENT);
        assertThat(effect.low()).isGreaterThanOrEqualTo(-100);
        assertThat(StageDecision.words(effect)).endsWith(", +1000000.00] in 10 blocks");
    }

    @Test
    void calmEqualKernelsEndAtTheSecondLookAndTellEverything() {
        StageDecision decision = StageDecision.of(RULE, MARGINS, Blocks.normal(new Random(3), 40, 0, 0.003));
        Effect effect = Objects.requireNonNull(decision.effect());
        assertThat(decision.verdict()).isEqualTo(GateVerdict.PASS);
        assertThat(decision.blocks()).isEqualTo(20).isEqualTo(effect.blocks());
        assertThat(effect.confidence()).isEqualTo(0.99);
        assertThat(effect.low()).isLessThan(effect.percent());
        assertThat(effect.high()).isGreaterThan(effect.percent()).isLessThan(1);
        assertThat(effect.hodgesLehmann()).isCloseTo(effect.percent(), within(0.2));
        assertThat(effect.deviation()).isCloseTo(0.3, within(0.1));
        assertThat(effect.p()).isGreaterThan(0.9);
        assertThat(effect.signFlipP()).isGreaterThan(0.9);
        assertThat(effect.detectable()).isBetween(0.15, 0.45);
        assertThat(decision.reason()).contains("in 20 blocks: not slower by 1 %");
    }

    @Test
    void moreBlocksThanTheRuleLooksAtChangeNothing() {
        List<PairedBlock> blocks = Blocks.normal(new Random(3), 40, 0, 0.003);
        assertThat(StageDecision.of(RULE, MARGINS, blocks.subList(0, 20)))
                .isEqualTo(StageDecision.of(RULE, MARGINS, blocks));
    }

    @Test
    void theUnitOfTimeDoesNotMatter() {
        List<PairedBlock> nanos = Blocks.normal(new Random(4), 40, 0.006, Blocks.DEVIATION);
        List<PairedBlock> micros = nanos.stream()
                .map(b -> new PairedBlock(b.index(), b.candidateFirst(), b.candidateNs() / 1000, b.baselineNs() / 1000))
                .toList();
        StageDecision one = StageDecision.of(RULE, MARGINS, nanos);
        StageDecision other = StageDecision.of(RULE, MARGINS, micros);
        assertThat(other.verdict()).isEqualTo(one.verdict());
        assertThat(Objects.requireNonNull(other.effect()).low())
                .isCloseTo(Objects.requireNonNull(one.effect()).low(), within(1e-9));
        assertThat(other.effect().p()).isCloseTo(one.effect().p(), within(1e-9));
    }

    @Test
    void withoutEnoughBlocksThereIsNoVerdict() {
        StageDecision none = StageDecision.of(RULE, MARGINS, List.of());
        assertThat(none.verdict()).isEqualTo(GateVerdict.INCONCLUSIVE);
        assertThat(none.effect()).isNull();
        assertThat(none.reason()).isEqualTo("only 0 blocks count, the first look is at 10");
        StageDecision some = StageDecision.of(RULE, MARGINS, Blocks.normal(new Random(5), 19, 0, 0.02));
        assertThat(some.verdict()).isEqualTo(GateVerdict.INCONCLUSIVE);
        assertThat(some.blocks()).isEqualTo(10);
        assertThat(some.reason()).contains("10 of 40 blocks do not suffice");
        StageDecision noisy = StageDecision.of(RULE, MARGINS, Blocks.normal(new Random(5), 40, 0.004, 0.05));
        assertThat(noisy.verdict()).isEqualTo(GateVerdict.INCONCLUSIVE);
        assertThat(noisy.reason()).contains("on both sides of 1 %");
    }

    @Test
    void doubtfulBlocksHaveAnEffectAndNoVerdict() {
        StageDecision decision = StageDecision.of(
                RULE,
                MARGINS,
                Blocks.normal(new Random(6), 40, Blocks.slower(5), Blocks.DEVIATION),
                List.of("another process has a context on the GPU"));
        assertThat(decision.verdict()).isEqualTo(GateVerdict.INCONCLUSIVE);
        assertThat(decision.reason()).isEqualTo("another process has a context on the GPU");
        assertThat(Objects.requireNonNull(decision.effect()).percent()).isCloseTo(5, within(0.5));
    }

    @Test
    void theOrderWithinABlockIsSeen() {
        List<PairedBlock> blocks = new ArrayList<>();
        for (PairedBlock block : Blocks.normal(new Random(7), 40, 0, 0.0005)) {
            double disturbed = block.candidateNs() * (block.candidateFirst() ? 1 : 1.01);
            blocks.add(new PairedBlock(block.index(), block.candidateFirst(), disturbed, block.baselineNs()));
        }
        Effect effect =
                Objects.requireNonNull(StageDecision.of(RULE, MARGINS, blocks).effect());
        assertThat(effect.order()).isCloseTo(0.5, within(0.05));
        assertThat(effect.percent()).isCloseTo(0.5, within(0.1));
    }

    /** 3 % more time at a clock that is 3 % lower is no more cycles. */
    @ParameterizedTest
    @CsvSource({"1700, 1700, FAIL", "1650, 1700, WARN", "1690, 1700, FAIL"})
    void aKernelThatOnlyHadALowerClockDoesNotFail(double candidateMhz, double baselineMhz, GateVerdict verdict) {
        List<PairedBlock> blocks = Blocks.normal(new Random(8), 40, Blocks.slower(3), Blocks.DEVIATION).stream()
                .map(b -> new PairedBlock(
                        b.index(), b.candidateFirst(), b.candidateNs(), b.baselineNs(), candidateMhz, baselineMhz))
                .toList();
        assertThat(StageDecision.of(RULE, MARGINS, blocks).verdict()).isEqualTo(verdict);
    }

    @Test
    void aRuleSaysWhatIsWrongWithIt() {
        assertThatThrownBy(() -> new GateRule(0.5, List.of(10))).hasMessageContaining("below 0.5, got 0.5");
        assertThatThrownBy(() -> new GateRule(0.01, List.of())).hasMessageContaining("got []");
        assertThatThrownBy(() -> new GateRule(0.01, List.of(10, 11))).hasMessageContaining("[10, 11]");
        assertThatThrownBy(() -> new GateRule(0.01, List.of(10), 0)).hasMessageContaining("got 0");
        assertThatThrownBy(() -> new PairedBlock(3, true, 0, 1)).hasMessageContaining("block 3");
    }
}
