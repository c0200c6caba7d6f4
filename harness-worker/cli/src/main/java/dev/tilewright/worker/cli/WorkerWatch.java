package dev.tilewright.worker.cli;

import dev.tilewright.worker.link.client.ApiClient;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tells people when the local worker of a service is away, why, and when it is back. */
final class WorkerWatch implements AutoCloseable {

    static final String PATH = "/actuator/health/localWorker";
    private static final Duration BETWEEN = Duration.ofSeconds(1);

    /** The worker's health as the service reports it. */
    record Health(@Nullable Details details) {}

    /**
     * More of it.
     *
     * @param state off, starting, running, restarting or failed
     * @param detail one line for people
     * @param restarts how often the worker has been started again
     */
    record Details(@Nullable String state, @Nullable String detail, int restarts) {

        private String words() {
            return Objects.requireNonNullElse(detail, "the local worker is " + state);
        }

        /** Whether it has not registered yet, and is expected to. */
        boolean isComingUp() {
            return switch (Objects.requireNonNullElse(state, "").toLowerCase(Locale.ROOT)) {
                case "starting", "restarting" -> true;
                default -> false;
            };
        }

        private boolean isAway() {
            return switch (Objects.requireNonNullElse(state, "").toLowerCase(Locale.ROOT)) {
                case "restarting", "failed" -> true;
                case "starting" -> restarts > 0;
                default -> false;
            };
        }
    }

    private final Supplier<ApiClient> api;
    private final PrintStream notices;
    private final Thread thread;
    private int restarts;
    private boolean away;

    /** @param api asked anew each time, since a service may come back elsewhere */
    WorkerWatch(Supplier<ApiClient> api, PrintStream notices) {
        this.api = api;
        this.notices = notices;
        this.thread = Thread.ofVirtual().name("worker watch").unstarted(this::watch);
    }

    /** Begins to look. */
    WorkerWatch begin() {
        thread.start();
        return this;
    }

    private void watch() {
        try {
            while (true) {
                ask().flatMap(this::notice).ifPresent(line -> {
                    notices.println();
                    notices.println(line);
                });
                Thread.sleep(BETWEEN);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<Details> ask() throws InterruptedException {
        try {
            return Optional.ofNullable(api.get().getAnyhow(PATH, Health.class).details());
        } catch (IOException away) {
            // Who waits for the job says so.
            return Optional.empty();
        }
    }

    /** The news since the last call: one line for each death of the worker, and one when it is back. */
    Optional<String> notice(Details now) {
        boolean died = now.restarts() > restarts || now.isAway() && !away;
        boolean back = "running".equals(now.state()) && (away || died);
        restarts = now.restarts();
        away = now.isAway();
        if (back) {
            return Optional.of("the local worker is back: " + now.words());
        }
        return died ? Optional.of(now.words()) : Optional.empty();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
