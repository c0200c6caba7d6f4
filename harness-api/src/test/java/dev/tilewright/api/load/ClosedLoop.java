package dev.tilewright.api.load;

import dev.tilewright.api.testing.Latencies;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;

/** Clients of which each sends its next request when it has the answer to the one before, as {@code wrk} does. */
record ClosedLoop(KeptConnections http, int clients) {

    /** What came of it: what was answered otherwise than wanted is a failure. */
    record Outcome(Latencies latencies, List<String> failures, double seconds) {

        double rate() {
            return latencies.count() / seconds;
        }
    }

    /** Asks for so long. */
    Outcome run(Duration time, int wanted, IntFunction<byte[]> requests) {
        Queue<Duration> latencies = new ConcurrentLinkedQueue<>();
        Queue<String> failures = new ConcurrentLinkedQueue<>();
        long begin = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int client = 0; client < clients; client++) {
                int own = client;
                threads.execute(() -> {
                    for (int i = own; System.nanoTime() - begin < time.toNanos(); i += clients) {
                        long sent = System.nanoTime();
                        try {
                            KeptConnections.Answer answer = http.send(requests.apply(i), false);
                            if (answer.status() != wanted) {
                                failures.add("answered " + answer.status());
                            }
                        } catch (IOException broken) {
                            failures.add(broken.toString());
                        }
                        latencies.add(Duration.ofNanos(System.nanoTime() - sent));
                    }
                });
            }
        }
        return new Outcome(Latencies.of(latencies), new ArrayList<>(failures), (System.nanoTime() - begin) / 1e9);
    }
}
