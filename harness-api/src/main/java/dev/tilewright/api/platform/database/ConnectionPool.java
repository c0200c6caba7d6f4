package dev.tilewright.api.platform.database;

import java.time.Duration;
import java.util.Locale;

/**
 * The pools of connections to the database, a bulkhead: whoever exhausts one takes nothing from the others. A thread
 * works with the pool that it was sent to by {@link #run}, and with {@link #QUERIES} else.
 */
public enum ConnectionPool {
    /** Leases, heartbeats, registrations, health: short statements that wait for nobody's rows. */
    CONTROL(6, Duration.ofSeconds(2), limits(1, 5)),
    /** Cancels, which wait for whoever holds a study. */
    CANCEL(4, Duration.ofSeconds(2), limits(3, 10)),
    /** Reports, and what moves studies on without a request. They wait for each other, a study at a time. */
    STUDIES(6, Duration.ofSeconds(5), limits(3, 30)),
    /** All that users read and submit. */
    QUERIES(6, Duration.ofSeconds(5), limits(5, 30));

    private static final ScopedValue<ConnectionPool> CURRENT = ScopedValue.newInstance();

    private final int size;
    private final Duration wait;
    private final SessionLimits limits;

    ConnectionPool(int size, Duration wait, SessionLimits limits) {
        this.size = size;
        this.wait = wait;
        this.limits = limits;
    }

    private static SessionLimits limits(long lockSeconds, long statementSeconds) {
        return new SessionLimits(
                Duration.ofSeconds(lockSeconds), Duration.ofSeconds(statementSeconds), Duration.ofSeconds(10));
    }

    /** The pool that this thread works with. */
    public static ConnectionPool current() {
        return CURRENT.orElse(QUERIES);
    }

    /** Has this thread work with this pool. Threads that it starts do not. */
    public void run(Runnable work) {
        ScopedValue.where(CURRENT, this).run(work);
    }

    /** Has this thread work with this pool. Threads that it starts do not. */
    public <R, X extends Throwable> R call(ScopedValue.CallableOp<? extends R, X> work) throws X {
        return ScopedValue.where(CURRENT, this).call(work);
    }

    /** How many connections it has at most. */
    public int size() {
        return size;
    }

    /** How long its users wait for one. */
    public Duration connectionWait() {
        return wait;
    }

    SessionLimits limits() {
        return limits;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
