package dev.tilewright.api.gate;

import dev.tilewright.gate.decision.Sentinel;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Retune;
import org.jspecify.annotations.Nullable;

/**
 * A case as Postgres has it.
 *
 * @param sentinel {@code null} of a case of the request
 * @param verdict {@code null} before it has one
 * @param retune whether tuning again wins back what was lost; {@code null} where nothing failed
 */
record GateCaseRow(
        int ordinal,
        @Nullable Sentinel sentinel,
        CaseSpec spec,
        @Nullable CaseVerdict verdict,
        CaseResult.@Nullable Waiver waiver,
        @Nullable Retune retune) {

    /** A case before anything is known of it. */
    GateCaseRow(int ordinal, @Nullable Sentinel sentinel, CaseSpec spec) {
        this(ordinal, sentinel, spec, null, null, null);
    }

    /** The same with what is said of it. */
    GateCaseRow with(CaseVerdict said, CaseResult.@Nullable Waiver covering) {
        return new GateCaseRow(ordinal, sentinel, spec, said, covering, retune);
    }

    /** The same, further in being tuned again. */
    GateCaseRow with(@Nullable Retune further) {
        return new GateCaseRow(ordinal, sentinel, spec, verdict, waiver, further);
    }

    /** The kernel that tuning again has found, beside the baseline of the case. */
    GateCaseRow ofTuned(GateKernel kernel) {
        return new GateCaseRow(ordinal, null, spec.of(kernel));
    }

    /**
     * The verdict on a case.
     *
     * @param effect of the stage that decided; {@code null} if nothing was timed
     */
    record CaseVerdict(
            GateVerdict verdict, String reason, @Nullable Effect effect) {}
}
