package dev.tilewright.api.platform.http.connection;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Ends requests that do not arrive in time. Tomcat's own timeouts are for one read: who sends a byte now and then keeps
 * to them for ever.
 */
final class ArrivalWatch {

    private static final Duration LOOK = Duration.ofMillis(500);

    private final Set<WatchedProcessor> served = ConcurrentHashMap.newKeySet();
    private Deadlines deadlines = new Deadlines(Duration.ofSeconds(20), Duration.ofSeconds(60));
    private final QuietWatch quiet = new QuietWatch();
    private @Nullable Thread looking;

    /** How long a request may take from its first byte to the end of its head, and to the end of its body. */
    record Deadlines(Duration head, Duration body) {}

    void deadlines(Deadlines those) {
        deadlines = those;
    }

    /** The connections that are waited for. */
    QuietWatch quiet() {
        return quiet;
    }

    void add(WatchedProcessor processor) {
        served.add(processor);
    }

    void remove(WatchedProcessor processor) {
        served.remove(processor);
    }

    void start() {
        looking = Thread.ofPlatform().daemon().name("http-deadlines").start(this::look);
    }

    void stop() {
        if (looking != null) {
            looking.interrupt();
        }
    }

    private void look() {
        try {
            while (true) {
                Thread.sleep(LOOK);
                long now = System.nanoTime();
                served.removeIf(processor -> !processor.isServing());
                served.forEach(processor -> processor.cutIfLate(now, deadlines));
                quiet.look(now, WatchedProcessor::cut);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
