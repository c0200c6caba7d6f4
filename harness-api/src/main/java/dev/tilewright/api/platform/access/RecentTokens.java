package dev.tilewright.api.platform.access;

import dev.tilewright.api.platform.database.ConnectionPool;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * All kept tokens as they were a moment ago. They are read together, at most once in {@link #LIFE} however many
 * requests come, so that a token costs the same whether it is right or wrong.
 */
@Component
public final class RecentTokens {

    /** So long a token that another replica has revoked may still be taken, and a new one be unknown. */
    public static final Duration LIFE = Duration.ofSeconds(2);

    private final KnownTokens known;
    private final LongSupplier nanoseconds;
    private volatile Reading last;

    /** @param atNs when they were read, by a clock that nobody sets */
    private record Reading(Map<String, Caller> byHash, long atNs) {}

    @Autowired
    RecentTokens(KnownTokens known) {
        this(known, System::nanoTime);
    }

    RecentTokens(KnownTokens known, LongSupplier nanoseconds) {
        this.known = known;
        this.nanoseconds = nanoseconds;
        this.last = outdated();
    }

    private Reading outdated() {
        return new Reading(Map.of(), nanoseconds.getAsLong() - LIFE.toNanos());
    }

    Optional<Caller> caller(String hash) {
        Reading reading = last;
        if (isOld(reading)) {
            reading = readAgain();
        }
        return Optional.ofNullable(reading.byHash().get(hash));
    }

    private boolean isOld(Reading reading) {
        return nanoseconds.getAsLong() - reading.atNs() >= LIFE.toNanos();
    }

    private synchronized Reading readAgain() {
        if (isOld(last)) {
            long now = nanoseconds.getAsLong();
            last = new Reading(ConnectionPool.CONTROL.call(known::byHash), now);
        }
        return last;
    }

    /** A token was made or revoked here: that holds at once. */
    public synchronized void forget() {
        last = outdated();
    }
}
