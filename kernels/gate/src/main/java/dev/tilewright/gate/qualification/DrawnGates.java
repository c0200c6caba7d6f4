package dev.tilewright.gate.qualification;

import dev.tilewright.gate.decision.CaseDecision;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.statistics.ShareBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Gates of many equal kernels, drawn from those that were timed: each has {@value Decided#GATE_CASES} of them, and what
 * its first stage fails is measured again by another one. Drawing the same cases anew cannot show more than they do:
 * the bound is that of the cases.
 *
 * @param gates how many were drawn
 * @param firstStage gates with a case that their first stage fails
 * @param failed gates that fail
 * @param caseBound upper bound at 95 % of the share of equal cases that a first stage fails
 * @param gateBound the same of gates that fail in both stages, if stages are independent
 */
record DrawnGates(int gates, int firstStage, int failed, double caseBound, double gateBound) {

    private static final int GATES = 10_000;
    private static final long SEED = 20_261_125;
    private static final double ERROR = 0.05;

    static DrawnGates of(List<Decided> equal) {
        Random random = new Random(SEED);
        int firstStage = 0;
        int failed = 0;
        for (int gate = 0; gate < GATES; gate++) {
            List<Decided> drawn = new ArrayList<>();
            for (int i = 0; i < Decided.GATE_CASES; i++) {
                drawn.add(equal.get(random.nextInt(equal.size())));
            }
            List<Boolean> toConfirm =
                    CaseDecision.toConfirm(drawn.stream().map(Decided::among).toList(), Decided.GATE_RULE);
            firstStage += toConfirm.contains(true) ? 1 : 0;
            boolean fails = false;
            for (boolean confirm : toConfirm) {
                fails |= confirm
                        && equal.get(random.nextInt(equal.size())).alone().verdict() == GateVerdict.FAIL;
            }
            failed += fails ? 1 : 0;
        }
        int wrong = (int) equal.stream()
                .filter(each -> each.among().verdict() == GateVerdict.FAIL)
                .count();
        double bound = ShareBounds.of(wrong, equal.size(), ERROR).high();
        return new DrawnGates(GATES, firstStage, failed, bound, 1 - Math.pow(1 - bound * bound, Decided.GATE_CASES));
    }
}
