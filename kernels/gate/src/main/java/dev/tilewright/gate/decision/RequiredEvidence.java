package dev.tilewright.gate.decision;

import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.CaseResult.Side;
import java.util.Objects;
import java.util.Optional;

/** Evidence that a verdict must have. */
final class RequiredEvidence {

    private RequiredEvidence() {}

    /** The missing evidence; empty if nothing is missing. */
    static Optional<String> of(CaseResult result) {
        if (result.verdict() == null) {
            return Optional.of("it has no verdict");
        }
        return switch (result.verdict()) {
            case PASS, WARN, FAIL, FASTER ->
                result.stages().stream().anyMatch(stage -> stage.counted() > 0)
                        ? Optional.empty()
                        : Optional.of("it is " + result.verdict() + " without a block that counts");
            case UNCHANGED_BINARY ->
                isSame(result.candidate(), result.baseline())
                        ? Optional.empty()
                        : Optional.of("it is unchanged_binary with different fingerprints");
            case INCONCLUSIVE, INVALID -> Optional.empty();
        };
    }

    /** A kernel of a peer has no module that could be read: its name says which it is. */
    private static boolean isSame(Side one, Side other) {
        return Objects.equals(one.cubinHash(), other.cubinHash())
                && (one.cubinHash() != null || one.kernel().equals(other.kernel()));
    }
}
