package dev.tilewright.api.study.flow;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets code that may fail or never come back answer, each question on a thread of its own. Who is late is interrupted
 * and left behind: a daemon that nobody waits for.
 */
final class Asks {

    private static final Logger LOG = LoggerFactory.getLogger(Asks.class);

    private Asks() {}

    /** A question got no answer; the message says whom it was put to and what happened. */
    static final class NoAnswer extends Exception {

        private static final long serialVersionUID = 1L;

        NoAnswer(String message) {
            super(message);
        }
    }

    /**
     * Asks.
     *
     * @param whom named in the message of a failure, such as {@code strategy 'model'}
     * @throws NoAnswer if it threw whatever it may be, or had no answer within the deadline
     */
    static <T> T within(Duration deadline, String whom, Callable<T> question) throws NoAnswer, InterruptedException {
        FutureTask<T> answer = new FutureTask<>(question);
        Thread thread = Thread.ofPlatform().daemon().name("ask " + whom).start(answer);
        try {
            return answer.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            LOG.warn("{} failed", whom, failed.getCause());
            throw new NoAnswer(whom + " failed: " + failed.getCause());
        } catch (TimeoutException late) {
            answer.cancel(true);
            // Should it ignore that, it takes no time from those who work.
            thread.setPriority(Thread.MIN_PRIORITY);
            throw new NoAnswer(whom + " did not answer within " + deadline.toMillis() + " ms");
        }
    }
}
