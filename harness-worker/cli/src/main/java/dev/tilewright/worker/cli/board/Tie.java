package dev.tilewright.worker.cli.board;

import dev.tilewright.model.trial.Measurement;

/** Which times cannot be told apart. */
final class Tie {

    /** Smaller differences of predictions are not printed: a tenth of a percent would be rounded to nothing. */
    private static final double MIN_VISIBLE_DIFFERENCE = 0.0005;

    private Tie() {}

    /** Whether the intervals of two measurements overlap; of predictions, which have none, whether they are equal. */
    static boolean between(Measurement one, Measurement other) {
        Double low = one.ciLowNs();
        Double high = one.ciHighNs();
        Double otherLow = other.ciLowNs();
        Double otherHigh = other.ciHighNs();
        if (low == null || high == null || otherLow == null || otherHigh == null) {
            return Math.abs(one.medianNs() / other.medianNs() - 1) < MIN_VISIBLE_DIFFERENCE;
        }
        return low <= otherHigh && otherLow <= high;
    }
}
