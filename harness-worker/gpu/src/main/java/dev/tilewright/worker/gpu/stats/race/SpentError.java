package dev.tilewright.worker.gpu.stats.race;

/**
 * An error that is shared among looks: the k-th of them may spend {@code total / (k (k + 1))}. However many looks there
 * are, and whatever makes one stop, all of them together spend no more than the total; half of it falls to the first,
 * where leaving saves most.
 *
 * @param total greatest probability of a wrong decision at any look
 */
public record SpentError(double total) {

    public SpentError {
        if (!(total > 0 && total < 1)) {
            throw new IllegalArgumentException("an error lies in 0..1, got " + total);
        }
    }

    /** The error that a look may spend, counted from 1. */
    public double at(int look) {
        if (look < 1) {
            throw new IllegalArgumentException("looks are counted from 1, got " + look);
        }
        return total / ((double) look * (look + 1));
    }
}
