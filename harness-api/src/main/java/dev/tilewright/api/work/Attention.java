package dev.tilewright.api.work;

import dev.tilewright.api.platform.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.stereotype.Component;

/**
 * Whether the service could hear its workers all the time. It could not before it began, while its process was stopped
 * or starved, and while the database took no heartbeats; and how long ago something was heard is not known when the
 * clock has leapt. Silence counts only while somebody listens.
 */
@Component
public class Attention {

    /** Between two looks. A lease has two thirds of its life left when its heartbeats come in time. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(9);

    /** So much the clock may be corrected between two looks: less than a heartbeat may be late. */
    private static final Duration LEAP = Duration.ofSeconds(2);

    private final Clock clock;
    private final MonotonicTime time;
    private boolean whole;
    private long lookedNs;
    private Instant looked;

    public Attention(Clock clock, MonotonicTime time) {
        this.clock = clock;
        this.time = time;
        this.lookedNs = time.nanos();
        this.looked = clock.instant();
    }

    /** Looks: false if since {@link #restore} anything may have gone unheard. */
    public synchronized boolean isWhole() {
        whole = wasWhole();
        lookedNs = time.nanos();
        looked = clock.instant();
        return whole;
    }

    /** Whether a look would find it whole. It is none: the pause that the next look judges begins at the last one. */
    synchronized boolean wasWhole() {
        Duration passed = Duration.ofNanos(time.nanos() - lookedNs);
        Duration leap = Duration.between(looked, clock.instant()).minus(passed).abs();
        return whole && passed.compareTo(LONGEST_PAUSE) <= 0 && leap.compareTo(LEAP) <= 0;
    }

    /** Somebody spoke, and it could not be noted. */
    public synchronized void lose() {
        whole = false;
    }

    /** Ends the time in which messages may have been lost. */
    public synchronized void restore() {
        whole = true;
    }
}
