package dev.tilewright.api.study.flow;

import dev.tilewright.api.platform.ServiceSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Lets code that may fail or never come back answer, each question on a thread of its own. Who is late is interrupted
 * and left behind: a daemon that nobody waits for. How long each took, late ones included, is in the timer
 * {@code tilewright.search.ask}.
 *
 * <p>Who asks has a permit. There are as many permits as cores, for asks of more studies at once would take each
 * other's time until all are late. Who thinks for longer than {@link #PATIENCE} gives the permit back until the answer
 * is there.
 */
@Component
class Asks {

    private static final Logger LOG = LoggerFactory.getLogger(Asks.class);

    /** Answers as quick as these are counted exactly: all but one of a hundred should be within the first. */
    private static final Duration[] OBJECTIVES = {Duration.ofMillis(50), Duration.ofSeconds(1)};

    /** Far longer than any answer of a strategy that is right takes. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** The subject of a question. */
    enum About {
        /** The configs of the space, when a device takes a study. */
        SPACE,
        /** The first configs of a strategy, which may read the whole space for them. */
        FIRST,
        /** The next configs of a strategy. */
        NEXT,
        /** The configs that tile schedulers still lack of their share of the trials. */
        SHARES,
        /** The twins of the best. */
        TWINS,
        /** The contenders for the final. */
        CONTENDERS;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Duration deadline;
    private final Clock clock;
    private final Semaphore permits =
            new Semaphore(Math.max(2, Runtime.getRuntime().availableProcessors()), true);
    private final MeterRegistry registry;

    @Autowired
    Asks(ServiceSettings settings, MeterRegistry registry, Clock clock) {
        this(settings.askDeadline(), registry, clock);
    }

    /** @param deadline of an answer */
    Asks(Duration deadline, MeterRegistry registry, Clock clock) {
        this.deadline = deadline;
        this.clock = clock;
        this.registry = registry;
    }

    /** A series comes with the first question that it is of. */
    private Timer timer(About about) {
        return Timer.builder("tilewright.search.ask")
                .description("Time that the search took for an answer, by what it was asked")
                .tag("about", about.toString())
                .publishPercentileHistogram()
                .serviceLevelObjectives(OBJECTIVES)
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofMinutes(1))
                .register(registry);
    }

    /** A question got no answer; the message says whom it was put to and what happened. */
    static final class NoAnswer extends Exception {

        private static final long serialVersionUID = 1L;

        NoAnswer(String message) {
            super(message);
        }
    }

    /** Waits for a permit to ask. */
    void takePermit() throws InterruptedException {
        permits.acquire();
    }

    /** Gives the permit back. */
    void returnPermit() {
        permits.release();
    }

    /**
     * Asks, with a permit.
     *
     * @param whom named in the message of a failure, such as {@code strategy 'model'}
     * @throws NoAnswer if it threw whatever it may be, or had no answer within the deadline
     * @throws DataAccessException if it met a database that does not answer, which is nothing that it says
     * @throws TransactionException likewise
     */
    <T> Asked.Answered<T> ask(About about, String whom, Callable<T> question) throws NoAnswer, InterruptedException {
        FutureTask<T> answer = new FutureTask<>(question);
        Instant at = clock.instant();
        long asked = System.nanoTime();
        Thread thread = Thread.ofPlatform().daemon().name("ask " + whom).start(answer);
        try {
            T answered = answered(answer);
            return new Asked.Answered<>(new Asked(about, at, clock.instant()), answered);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof DataAccessException away) {
                throw away;
            }
            if (failed.getCause() instanceof TransactionException away) {
                throw away;
            }
            LOG.warn("{} failed", whom, failed.getCause());
            throw new NoAnswer(whom + " failed: " + failed.getCause());
        } catch (TimeoutException late) {
            answer.cancel(true);
            // Should it ignore that, it takes no time from those who work.
            thread.setPriority(Thread.MIN_PRIORITY);
            throw new NoAnswer(whom + " did not answer within " + deadline.toMillis() + " ms");
        } finally {
            timer(about).record(System.nanoTime() - asked, TimeUnit.NANOSECONDS);
        }
    }

    private <T> T answered(FutureTask<T> answer) throws ExecutionException, TimeoutException, InterruptedException {
        Duration first = deadline.compareTo(PATIENCE) < 0 ? deadline : PATIENCE;
        try {
            return answer.get(first.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException thinking) {
            permits.release();
            try {
                return answer.get(deadline.minus(first).toMillis(), TimeUnit.MILLISECONDS);
            } finally {
                permits.acquireUninterruptibly();
            }
        }
    }
}
