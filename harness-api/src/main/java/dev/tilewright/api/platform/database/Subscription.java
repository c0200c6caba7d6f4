package dev.tilewright.api.platform.database;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Waits for the first notification after it was made. It is made before a look, so that nothing falls in between. */
public final class Subscription {

    private final Channel channel;
    private final Predicate<String> payload;
    private final CountDownLatch notified = new CountDownLatch(1);

    Subscription(Channel channel, Predicate<String> payload) {
        this.channel = channel;
        this.payload = payload;
    }

    boolean isFor(Channel notifiedChannel, String notifiedPayload) {
        return channel == notifiedChannel && payload.test(notifiedPayload);
    }

    void end() {
        notified.countDown();
    }

    /** Whether a notification came, or may have been missed, or the service stops. */
    public boolean isNotified() {
        return notified.getCount() == 0;
    }

    /** Waits until then, but no longer than this; holds no connection. */
    public void await(Duration most) throws InterruptedException {
        boolean _ = notified.await(most.toMillis(), TimeUnit.MILLISECONDS);
    }
}
