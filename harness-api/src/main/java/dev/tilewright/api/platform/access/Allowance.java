package dev.tilewright.api.platform.access;

import dev.tilewright.api.platform.MonotonicTime;
import java.time.Duration;

/** A number of tries that are used up and come back one by one. For use by one thread at a time. */
final class Allowance {

    private final long whole;
    private final long pauseNs;
    private final MonotonicTime time;
    /** Of all tries; used ones are owed, in the nanoseconds after which they are back. */
    private long owedNs;

    private long atNs;

    Allowance(int tries, Duration pause, MonotonicTime time) {
        this.pauseNs = pause.toNanos();
        this.whole = tries * pauseNs;
        this.time = time;
        this.atNs = time.nanos();
    }

    private long owed() {
        long now = time.nanos();
        owedNs = Math.max(0, owedNs - (now - atNs));
        atNs = now;
        return owedNs;
    }

    /** Whether no try is used up. */
    boolean isWhole() {
        return owed() == 0;
    }

    /** Zero if there is a try now. */
    Duration untilNext() {
        return Duration.ofNanos(Math.max(0, owed() + pauseNs - whole));
    }

    /** Uses a try up; one too many does not lengthen the wait. */
    void take() {
        owedNs = Math.min(whole, owed() + pauseNs);
    }

    void giveBack() {
        owedNs = Math.max(0, owed() - pauseNs);
    }
}
