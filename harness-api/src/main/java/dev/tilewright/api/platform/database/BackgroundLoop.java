package dev.tilewright.api.platform.database;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Looks for something again and again, beside all requests and with the connections of {@link ConnectionPool#STUDIES},
 * on a thread of its own. After a look that failed comes the next one.
 */
public final class BackgroundLoop {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundLoop.class);

    private final String wanted;
    private final Duration pause;
    private final Runnable look;
    private final Runnable away;
    private final ScheduledExecutorService looks;
    private volatile boolean running;

    /**
     * @param name of the thread
     * @param wanted what it looks for, as the log says it
     * @param pause between two looks
     * @param away what is done where the database does not answer
     */
    public BackgroundLoop(String name, String wanted, Duration pause, Runnable look, Runnable away) {
        this.wanted = wanted;
        this.pause = pause;
        this.look = look;
        this.away = away;
        this.looks = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
    }

    /** Where nothing is to be done while the database does not answer. */
    public BackgroundLoop(String name, String wanted, Duration pause, Runnable look) {
        this(name, wanted, pause, look, () -> {});
    }

    /** Begins, with a pause. */
    public void start() {
        running = true;
        looks.scheduleWithFixedDelay(this::once, pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Looks now, in the thread of the caller. */
    public void once() {
        try {
            ConnectionPool.STUDIES.run(look);
        } catch (DataAccessException | TransactionException noAnswer) {
            away.run();
            LOG.debug("the database is away", noAnswer);
        } catch (RuntimeException bug) {
            LOG.error("could not look for {}", wanted, bug);
        }
    }

    /** Ends; it is not started again. */
    public void stop() {
        running = false;
        looks.shutdownNow();
    }

    /** Whether it was started and not stopped. */
    public boolean isRunning() {
        return running;
    }
}
