package dev.tilewright.api.platform.http;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/**
 * Bounds how many large requests are checked at once, as each takes a core for seconds: half of the cores stay with
 * other users. A request of a few parts needs no permit.
 */
@Component
public class LargeRequests {

    /** A request with more parts is large. */
    private static final int FEW_PARTS = 8;

    private static final Duration WAIT = Duration.ofSeconds(5);

    private final int most;
    private final Duration wait;
    private final Semaphore permits;

    LargeRequests() {
        this(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), WAIT);
    }

    /**
     * @param most large requests at once
     * @param wait of one for its turn
     */
    LargeRequests(int most, Duration wait) {
        this.most = most;
        this.wait = wait;
        this.permits = new Semaphore(most, true);
    }

    /** How many large requests are checked at once, at most. */
    public int most() {
        return most;
    }

    /** How many large requests wait for their turn. */
    public int waiting() {
        return permits.getQueueLength();
    }

    /**
     * Checks a request, without a connection.
     *
     * @param parts of the request, such as problems
     * @throws ApiProblem 503 if too many large requests are checked, and whatever the check throws
     */
    public <T> T check(int parts, Supplier<T> check) {
        if (parts <= FEW_PARTS) {
            return check.get();
        }
        if (!acquired()) {
            throw new ApiProblem(
                    ProblemType.BUSY,
                    "requests with more than " + FEW_PARTS + " parts are checked " + most
                            + " at a time, and this one, with " + parts + ", has waited " + wait.toSeconds()
                            + " s for its turn: send it again");
        }
        try {
            return check.get();
        } finally {
            permits.release();
        }
    }

    private boolean acquired() {
        try {
            return permits.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
