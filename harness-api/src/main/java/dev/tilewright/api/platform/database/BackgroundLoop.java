package dev.tilewright.api.platform.database;

import dev.tilewright.api.platform.process.FatalErrors;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Looks for something again and again while the service runs, beside all requests and with the connections of
 * {@link ConnectionPool#STUDIES}, on a thread of its own. A look that finds nothing to follow is the last one until
 * Postgres notifies {@link Channel#WORK}, so that an idle service asks nothing. After a look that failed comes the next
 * one, whatever it failed by.
 */
public abstract class BackgroundLoop implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundLoop.class);

    private final FatalErrors fatal;
    private final Notifications notifications;
    private final String wanted;
    private final Duration pause;
    private final boolean background;
    private final ScheduledExecutorService looks;
    private volatile boolean running;
    private volatile @Nullable Subscription news;
    private volatile boolean following = true;
    private volatile long lookedNs;

    /**
     * @param fatal halts the process after an error that leaves its state unknown
     * @param name of the thread
     * @param wanted what it looks for, as the log says it
     * @param pause between two looks at least
     * @param background whether it looks by itself
     */
    protected BackgroundLoop(
            FatalErrors fatal,
            Notifications notifications,
            String name,
            String wanted,
            Duration pause,
            boolean background) {
        this.fatal = fatal;
        this.notifications = notifications;
        this.wanted = wanted;
        this.pause = pause;
        this.background = background;
        this.looks = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
    }

    /**
     * Looks once.
     *
     * @return whether the next look comes after the pause; otherwise it comes with the next notification
     */
    protected abstract boolean look();

    /** A hook for what the memory of this process knows: whether the next look comes without a notification. */
    protected boolean isUrgent() {
        return false;
    }

    /** A hook for a pass in which the database does not answer. */
    protected void away() {}

    /** Begins, with a pause. */
    @Override
    public void start() {
        running = true;
        looks.scheduleWithFixedDelay(this::lookIfDue, pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void lookIfDue() {
        Subscription subscribed = news;
        if (isUrgent()
                || following
                || subscribed == null
                || subscribed.isNotified()
                || System.nanoTime() - lookedNs >= Notifications.LONGEST_SILENCE.toNanos()) {
            once();
        }
    }

    /** Looks now, in the thread of the caller. */
    protected final void once() {
        Subscription before = news;
        if (before != null) {
            notifications.cancel(before);
        }
        news = notifications.subscribe(Channel.WORK, any -> true);
        lookedNs = System.nanoTime();
        following = true;
        try {
            following = ConnectionPool.STUDIES.call(this::look);
        } catch (DataAccessException | TransactionException noAnswer) {
            away();
            LOG.debug("the database is away", noAnswer);
        } catch (Throwable bug) {
            fatal.haltAfter(bug, "the look for " + wanted);
            LOG.error("could not look for {}", wanted, bug);
        }
    }

    /** Ends; it is not started again. */
    @Override
    public void stop() {
        running = false;
        looks.shutdownNow();
    }

    @Override
    public final boolean isRunning() {
        return running;
    }

    @Override
    public final boolean isAutoStartup() {
        return background;
    }
}
