package dev.tilewright.gate.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CaseDecisionTest {

    private static StageDecision stage(GateVerdict verdict) {
        return new StageDecision(verdict, null, 40, "stage says " + verdict);
    }

    @ParameterizedTest
    @CsvSource({"FAIL, FAIL", "WARN, WARN", "PASS, INCONCLUSIVE", "FASTER, INCONCLUSIVE", "INCONCLUSIVE, INCONCLUSIVE"})
    void onlyWhatTwoProcessesSayFails(GateVerdict second, GateVerdict verdict) {
        CaseDecision decision = CaseDecision.of(stage(GateVerdict.FAIL), true, stage(second));
        assertThat(decision.verdict()).isEqualTo(verdict);
        assertThat(decision.reason()).contains("stage says fail").contains("stage says " + second);
    }

    @Test
    void withoutASecondProcessOrBeyondChanceNothingFails() {
        assertThat(CaseDecision.of(stage(GateVerdict.FAIL), true, null).verdict())
                .isEqualTo(GateVerdict.INCONCLUSIVE);
        assertThat(CaseDecision.of(stage(GateVerdict.FAIL), false, null).verdict())
                .isEqualTo(GateVerdict.WARN);
        for (GateVerdict first : List.of(GateVerdict.PASS, GateVerdict.WARN, GateVerdict.FASTER)) {
            assertThat(CaseDecision.of(stage(first), false, null).verdict()).isEqualTo(first);
        }
    }

    @Test
    void aSlowCaseAmongManyIsConfirmedAndAnEqualOneIsNot() {
        Random random = new Random(11);
        GateRule rule = GateRule.STANDARD.among(50);
        List<StageDecision> first = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            double slower = i == 20 ? Blocks.slower(2) : 0;
            first.add(StageDecision.of(rule, Margins.STANDARD, Blocks.normal(random, 40, slower, Blocks.DEVIATION)));
        }
        List<Boolean> expected = new ArrayList<>(Collections.nCopies(50, false));
        expected.set(20, true);
        assertThat(CaseDecision.toConfirm(first, rule)).isEqualTo(expected);
        first.set(
                20,
                StageDecision.of(
                        rule,
                        Margins.STANDARD,
                        Blocks.normal(random, 40, Blocks.slower(2), Blocks.DEVIATION),
                        List.of("the clock did not settle")));
        assertThat(CaseDecision.toConfirm(first, rule)).doesNotContain(true);
    }

    /** What only the interval of the case alone says is no failure among 500. */
    @Test
    void amongManyCasesTimingGoesOnUntilTheFailureIsBeyondChance() {
        Random random = new Random(12);
        int failedAlone = 0;
        int confirmed = 0;
        for (int i = 0; i < 40; i++) {
            List<PairedBlock> blocks = Blocks.normal(random, 40, Blocks.slower(2), Blocks.DEVIATION);
            StageDecision alone = StageDecision.of(GateRule.STANDARD, Margins.STANDARD, blocks);
            GateRule rule = GateRule.STANDARD.among(500);
            StageDecision among = StageDecision.of(rule, Margins.STANDARD, blocks);
            assertThat(among.blocks()).isGreaterThanOrEqualTo(alone.blocks());
            failedAlone += alone.blocks() < 40 ? 1 : 0;
            List<StageDecision> all = new ArrayList<>(Collections.nCopies(499, stage(GateVerdict.PASS)));
            all.add(among);
            confirmed += CaseDecision.toConfirm(all, rule).getLast() ? 1 : 0;
        }
        assertThat(failedAlone).isGreaterThan(10);
        assertThat(confirmed).isGreaterThanOrEqualTo(38);
    }
}
