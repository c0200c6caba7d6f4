package dev.tilewright.worker.agent.lease;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Says that the API is away: at once, then rarely while it lasts, and once when it is back. Used by many threads. */
final class Outage {

    /** Between two lines about what is still the same. */
    static final Duration SILENCE = Duration.ofSeconds(30);

    private final Clock clock;
    private final Consumer<String> log;
    private @Nullable Instant said;
    private @Nullable Instant since;

    /** @param log gets each line */
    Outage(Clock clock, Consumer<String> log) {
        this.clock = clock;
        this.log = log;
    }

    /** A request failed. */
    synchronized void lasts(String why) {
        Instant now = clock.instant();
        if (said != null && Duration.between(said, now).compareTo(SILENCE) < 0) {
            return;
        }
        log.accept(
                since == null
                        ? why
                        : why + " (for " + Duration.between(since, now).toSeconds() + " s)");
        said = now;
        since = since == null ? now : since;
    }

    /** A request got through. */
    synchronized void over() {
        if (since != null) {
            log.accept("the service is back after "
                    + Duration.between(since, clock.instant()).toSeconds() + " s");
            since = null;
        }
    }
}
