package dev.tilewright.gate.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gate.document.Margins;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HolmTest {

    @Test
    void goesDownStepByStepAndStops() {
        assertThat(Holm.rejected(List.of(0.01, 0.04, 0.03, 0.005), 0.05)).containsExactly(true, false, false, true);
        assertThat(Holm.rejected(List.of(0.04, 0.011), 0.05)).containsExactly(true, true);
        assertThat(Holm.rejected(List.of(), 0.05)).isEmpty();
        assertThat(Holm.rejected(List.of(1.0, 1.0), 0.05)).containsExactly(false, false);
    }

    @Test
    void oneOfManyTrueHypothesesIsRejectedNoMoreOftenThanTheErrorSays() {
        Random random = new Random(20261125);
        int wrong = 0;
        int gates = 20_000;
        for (int gate = 0; gate < gates; gate++) {
            List<Double> p = new ArrayList<>(random.doubles(50).boxed().toList());
            // Three that are false do not make the others' error greater.
            p.set(0, 1e-9);
            p.set(1, 1e-9);
            p.set(2, 1e-9);
            wrong += Holm.rejected(p, 0.05).subList(3, 50).contains(true) ? 1 : 0;
        }
        assertThat(wrong / (double) gates).isBetween(0.044, 0.055);
    }

    /** All of a gate's cases exactly at the margin: the worst that may not fail. */
    @Test
    void aGateWhoseCasesAreAllAtTheMarginFailsAFirstStageNoMoreOftenThanItSays() {
        Random random = new Random(9);
        int cases = 20;
        GateRule rule = new GateRule(0.05, List.of(10, 20, 40), cases);
        StageBounds.Rule of = new StageBounds.Rule(rule, Margins.STANDARD);
        int wrong = 0;
        int gates = 400;
        for (int gate = 0; gate < gates; gate++) {
            List<Double> p = new ArrayList<>();
            for (int i = 0; i < cases; i++) {
                p.add(of.bounds(Blocks.logRatios(Blocks.normal(random, 40, Blocks.slower(1), Blocks.DEVIATION)))
                        .p());
            }
            wrong += Holm.rejected(p, rule.error()).contains(true) ? 1 : 0;
        }
        // 0.05 of 400 are 20, with a deviation of 4.4.
        assertThat(wrong).isBetween(5, 33);
    }
}
