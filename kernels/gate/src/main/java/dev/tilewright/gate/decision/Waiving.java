package dev.tilewright.gate.decision;

import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.CaseResult.Waiver;
import dev.tilewright.gate.document.GateVerdict;

/** The rule for waivers: a slow kernel may be waived, a wrong or unmeasured one never. */
public final class Waiving {

    private Waiving() {}

    /** Whether a verdict can be waived at all. */
    public static boolean canWaive(GateVerdict verdict) {
        return switch (verdict) {
            case FAIL, WARN -> true;
            case PASS, FASTER, INCONCLUSIVE, UNCHANGED_BINARY, INVALID -> false;
        };
    }

    /** Whether the waiver of a case, if it has one, is for its verdict and for the module that was timed. */
    static boolean covers(CaseResult result) {
        Waiver waiver = result.waiver();
        return waiver != null
                && result.verdict() != null
                && canWaive(result.verdict())
                && waiver.caseName().equals(result.name())
                && waiver.cubinHash().equals(result.candidate().cubinHash());
    }
}
