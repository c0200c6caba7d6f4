package dev.tilewright.api.platform.access;

import dev.tilewright.api.platform.database.ConnectionPool;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * All kept tokens as they were a moment ago. One request reads them for all, at most once in {@link #LIFE}, so that a
 * token costs the same whether it is right or wrong. While Postgres is away, one request at a time finds that out, and
 * the others are refused without a wait for it.
 */
@Component
public final class RecentTokens {

    /** So long a token that another replica has revoked may still be taken, and a new one be unknown. */
    public static final Duration LIFE = Duration.ofSeconds(2);

    /** A request waits so long for another one's reading; a reading takes milliseconds. */
    private static final Duration WAIT = Duration.ofMillis(500);

    /** So long nobody reads again after a reading that failed. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final KnownTokens known;
    private final LongSupplier nanoseconds;
    private final ReentrantLock reader = new ReentrantLock();
    private final AtomicLong changes = new AtomicLong();
    private volatile Reading last;
    private volatile Optional<Failure> failure = Optional.empty();

    /**
     * Tokens that were read.
     *
     * @param changes as many as were made here before the reading began
     * @param atNs when it began, by a clock that nobody sets
     */
    private record Reading(Map<String, Caller> byHash, long changes, long atNs) {}

    private record Failure(RuntimeException reason, long atNs) {}

    @Autowired
    RecentTokens(KnownTokens known) {
        this(known, System::nanoTime);
    }

    RecentTokens(KnownTokens known, LongSupplier nanoseconds) {
        this.known = known;
        this.nanoseconds = nanoseconds;
        this.last = new Reading(Map.of(), -1, nanoseconds.getAsLong());
    }

    /** @throws DataAccessException if the tokens cannot be read now */
    Optional<Caller> caller(String hash) {
        Reading reading = last;
        if (isOld(reading)) {
            reading = readAgain();
        }
        return Optional.ofNullable(reading.byHash().get(hash));
    }

    private boolean isOld(Reading reading) {
        return reading.changes() != changes.get() || isPast(reading.atNs(), LIFE);
    }

    private boolean isPast(long atNs, Duration length) {
        return nanoseconds.getAsLong() - atNs >= length.toNanos();
    }

    private Reading readAgain() {
        requireNoFailure();
        if (!isMyTurn()) {
            throw new TransientDataAccessResourceException("another request waits for the database to read them");
        }
        try {
            requireNoFailure();
            while (isOld(last)) {
                last = read();
            }
            return last;
        } finally {
            reader.unlock();
        }
    }

    private boolean isMyTurn() {
        try {
            return reader.tryLock(WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void requireNoFailure() {
        failure.filter(failed -> !isPast(failed.atNs(), PAUSE)).ifPresent(failed -> {
            throw new TransientDataAccessResourceException("they could not be read a moment ago", failed.reason());
        });
    }

    private Reading read() {
        long before = changes.get();
        long now = nanoseconds.getAsLong();
        try {
            Reading reading = new Reading(ConnectionPool.CONTROL.call(known::byHash), before, now);
            failure = Optional.empty();
            return reading;
        } catch (DataAccessException | TransactionException away) {
            failure = Optional.of(new Failure(away, nanoseconds.getAsLong()));
            throw away;
        }
    }

    /** A token was made or revoked here: that holds at once. */
    public void forget() {
        changes.incrementAndGet();
    }
}
