package dev.tilewright.proof.compare;

import java.util.Optional;

/**
 * The result of a comparison.
 *
 * @param elements compared
 * @param worstRatio the largest error over what is allowed: at most 1 if all are right
 * @param mismatch if one is not
 */
public record Compared(long elements, double worstRatio, Optional<Mismatch> mismatch) {
    public static final Compared NOTHING = new Compared(0, 0, Optional.empty());

    /** Both together; the first mismatch counts. */
    public Compared and(Compared other) {
        return new Compared(
                elements + other.elements, Math.max(worstRatio, other.worstRatio), mismatch.or(other::mismatch));
    }
}
