package dev.tilewright.api.testing;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for progress, and gives up where nothing can be expected any more: a busy machine is slow. */
public final class Awaiting {

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    /** A condition that takes a request each time would keep the service from what is waited for. */
    private static final long LONGEST_PAUSE_MS = 50;

    private Awaiting() {}

    /** @throws AssertionError if it is not so in {@link #PATIENCE} */
    public static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        long pauseMs = 2;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("what was waited for did not come within " + PATIENCE);
            }
            try {
                Thread.sleep(pauseMs);
                pauseMs = Math.min(pauseMs + 1, LONGEST_PAUSE_MS);
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting", stopping);
            }
        }
    }
}
