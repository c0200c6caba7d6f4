package dev.tilewright.api.web.gate;

import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import org.jspecify.annotations.Nullable;

/**
 * A verdict, or how far a run is that has none.
 *
 * @param look class of its colour; the text says the same
 */
public record VerdictChip(String text, String look) {

    static VerdictChip of(GateRun.State state, @Nullable GateVerdict verdict) {
        return verdict == null ? new VerdictChip(state.toString(), state.toString()) : of(verdict);
    }

    static VerdictChip of(GateVerdict verdict) {
        return new VerdictChip(
                verdict.toString().replace('_', ' '),
                switch (verdict) {
                    case PASS, FASTER, UNCHANGED_BINARY -> "finished";
                    case WARN -> "warns";
                    case FAIL, INVALID -> "failed";
                    case INCONCLUSIVE -> "unsure";
                });
    }

    /** Of a case that may have none yet. */
    static VerdictChip ofCase(@Nullable GateVerdict verdict) {
        return verdict == null ? new VerdictChip("not measured yet", "unsure") : of(verdict);
    }
}
