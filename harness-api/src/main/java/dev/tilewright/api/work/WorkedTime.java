package dev.tilewright.api.work;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The time in which at least one device worked on a study.
 *
 * @param counted the time up to the last count
 * @param countedAt when it was counted; {@code null} if never
 * @param since when devices began to work on the study without a pause until now; {@code null} if none works on it
 */
record WorkedTime(
        Duration counted,
        @Nullable Instant countedAt,
        @Nullable Instant since) {

    /** No device has worked on the study. */
    static final WorkedTime NONE = new WorkedTime(Duration.ZERO, null, null);

    /** The whole time. Devices that work on the study at the same time count once. */
    Duration at(Instant now) {
        if (since == null) {
            return counted;
        }
        Instant from = countedAt != null && countedAt.isAfter(since) ? countedAt : since;
        return from.isBefore(now) ? counted.plus(Duration.between(from, now)) : counted;
    }

    /** The same after a count. A clock that is behind that of another replica counts no time twice. */
    WorkedTime counted(Instant now) {
        return new WorkedTime(at(now), countedAt != null && countedAt.isAfter(now) ? countedAt : now, since);
    }

    /** The same if the time since the last count is not known, and so does not count. */
    WorkedTime skipped(Instant now) {
        return new WorkedTime(counted, now, since);
    }
}
