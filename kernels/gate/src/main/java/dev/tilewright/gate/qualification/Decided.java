package dev.tilewright.gate.qualification;

import dev.tilewright.gate.decision.GateRule;
import dev.tilewright.gate.decision.StageDecision;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import java.util.List;

/**
 * A case with what the rules say of it.
 *
 * @param alone as a case by itself
 * @param among as one of a gate of {@value #GATE_CASES}
 */
record Decided(QualificationRun run, StageDecision alone, StageDecision among) {

    /** Cases of the gates that are drawn. */
    static final int GATE_CASES = 50;

    static final GateRule GATE_RULE = GateRule.STANDARD.among(GATE_CASES);

    static Decided of(QualificationRun run) {
        return new Decided(
                run, run.decision(GateRule.STANDARD, Margins.STANDARD), run.decision(GATE_RULE, Margins.STANDARD));
    }

    static int count(List<Decided> cases, GateVerdict... verdicts) {
        return (int) cases.stream()
                .filter(each -> List.of(verdicts).contains(each.alone().verdict()))
                .count();
    }
}
