package dev.tilewright.worker.cli.board;

import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.TimeInterval;

/** Which times cannot be told apart. */
final class Tie {

    private Tie() {}

    /** Whether the intervals of two measurements overlap; of predictions, which have none, whether they are equal. */
    static boolean between(Measurement one, Measurement other) {
        return time(one).ties(time(other));
    }

    private static TimeInterval time(Measurement of) {
        return new TimeInterval(of.medianNs(), of.ciLowNs(), of.ciHighNs());
    }
}
