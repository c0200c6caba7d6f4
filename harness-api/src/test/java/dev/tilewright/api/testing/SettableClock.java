package dev.tilewright.api.testing;

import dev.tilewright.api.platform.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still until a test moves it, and the time beside it that no clock changes. */
public final class SettableClock extends Clock implements MonotonicTime {

    private volatile Instant now = Instant.parse("2026-11-21T10:00:00Z");
    private volatile long nanos;

    /** Time passes. */
    public synchronized void advance(Duration duration) {
        nanos += duration.toNanos();
        now = now.plus(duration);
    }

    /** Somebody sets the clock. */
    public synchronized void leap(Duration by) {
        now = now.plus(by);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("instants need no zone");
    }
}
