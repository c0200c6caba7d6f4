package dev.tilewright.gate.decision;

import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateVerdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision on a timed case. It fails only if the blocks of two processes say so, and if the first say it more
 * clearly than one of so many cases would by chance.
 */
public record CaseDecision(GateVerdict verdict, String reason) {

    /**
     * The cases that need a second process, after all have had their first.
     *
     * @param first the decision of each case that was timed, in any order
     * @return for each, whether its failure is beyond chance
     */
    public static List<Boolean> toConfirm(List<StageDecision> first, GateRule rule) {
        List<Double> p = first.stream().map(CaseDecision::p).toList();
        List<Boolean> rejected = Holm.rejected(p, rule.error());
        List<Boolean> confirm = new ArrayList<>();
        for (int i = 0; i < first.size(); i++) {
            confirm.add(rejected.get(i) && first.get(i).verdict() == GateVerdict.FAIL);
        }
        return List.copyOf(confirm);
    }

    /** Of a case without a verdict nothing is claimed. */
    private static double p(StageDecision decision) {
        Effect effect = decision.effect();
        return effect == null || decision.verdict() == GateVerdict.INCONCLUSIVE ? 1 : effect.p();
    }

    /**
     * Decides.
     *
     * @param toConfirm whether the failure of the first process is beyond chance among all cases
     * @param second of another process; {@code null} if there was none
     */
    public static CaseDecision of(StageDecision first, boolean toConfirm, @Nullable StageDecision second) {
        if (first.verdict() != GateVerdict.FAIL) {
            return new CaseDecision(first.verdict(), first.reason());
        }
        if (!toConfirm) {
            return new CaseDecision(
                    GateVerdict.WARN, first.reason() + ", but among so many cases one may do so by chance");
        }
        if (second == null) {
            return new CaseDecision(
                    GateVerdict.INCONCLUSIVE, first.reason() + ", and no second process has confirmed it");
        }
        return switch (second.verdict()) {
            case FAIL ->
                new CaseDecision(GateVerdict.FAIL, first.reason() + "; in a second process " + second.reason());
            case WARN ->
                new CaseDecision(GateVerdict.WARN, first.reason() + ", but in a second process " + second.reason());
            case PASS, FASTER, INCONCLUSIVE, UNCHANGED_BINARY, INVALID ->
                new CaseDecision(
                        GateVerdict.INCONCLUSIVE,
                        first.reason() + ", and a second process does not confirm it: " + second.reason());
        };
    }
}
