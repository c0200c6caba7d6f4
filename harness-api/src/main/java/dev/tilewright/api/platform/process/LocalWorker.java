package dev.tilewright.api.platform.process;

import dev.tilewright.api.platform.ServiceSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * The worker on the service's own machine: a child process, started when the service listens and again when it dies. It
 * is given up when it says by its exit code that another start would end the same way.
 */
@Component
public final class LocalWorker {

    /** What became of the child. */
    public enum State {
        OFF,
        RUNNING,
        RESTARTING,
        FAILED
    }

    /**
     * How the child is doing.
     *
     * @param detail one line for people
     */
    public record Status(State state, String detail) {}

    private static final Logger LOG = LoggerFactory.getLogger(LocalWorker.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration STOP = Duration.ofSeconds(3);
    private static final int BAD_USAGE = 2;
    private static final int DEVICE_FAILS = 4;

    private final ServiceSettings settings;
    private final ListenAddress listen;
    private volatile Status status = new Status(State.OFF, "no local worker was asked for");
    private @Nullable Process process;
    private boolean stopping;

    LocalWorker(ServiceSettings settings, ListenAddress listen) {
        this.settings = settings;
        this.listen = listen;
    }

    /** How the child is doing. */
    public Status status() {
        return status;
    }

    @EventListener
    void ready(ApplicationReadyEvent event) {
        if (settings.localWorker()
                && event.getApplicationContext() instanceof WebServerApplicationContext web
                && web.getWebServer() != null) {
            start(listen.url(web.getWebServer().getPort()));
        }
    }

    /** Starts the child and keeps it running. */
    void start(String url) {
        Path launcher = settings.launcher();
        if (launcher == null) {
            status = new Status(
                    State.FAILED, "no launcher is known: the system property tilewright.launcher is not set");
            LOG.warn("no local worker: {}", status.detail());
            return;
        }
        List<String> command = command(launcher, url);
        Thread.ofVirtual().name("local-worker").start(() -> keepRunning(command));
    }

    private List<String> command(Path launcher, String url) {
        return List.of(
                launcher.toString(),
                "worker",
                "--api",
                url,
                "--token-file",
                settings.files().workerToken().toAbsolutePath().toString(),
                "--device",
                settings.device(),
                "--parent",
                Long.toString(ProcessHandle.current().pid()));
    }

    private void keepRunning(List<String> command) {
        Duration pause = FIRST_PAUSE;
        try {
            while (true) {
                long started = System.nanoTime();
                Process child = launch(command);
                if (child == null) {
                    return;
                }
                int code = child.waitFor();
                if (isStopping()) {
                    return;
                }
                if (code == BAD_USAGE || code == DEVICE_FAILS) {
                    status = new Status(
                            State.FAILED, "the local worker ended with exit code " + code + "; see " + log());
                    LOG.error("{}", status.detail());
                    return;
                }
                boolean lasted = System.nanoTime() - started > LONGEST_PAUSE.toNanos() * 2;
                pause = lasted ? FIRST_PAUSE : pause;
                status = new Status(
                        State.RESTARTING, "the local worker ended with exit code " + code + "; see " + log());
                LOG.warn("{}; starting it again in {} ms", status.detail(), pause.toMillis());
                Thread.sleep(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
            }
        } catch (IOException e) {
            status = new Status(State.FAILED, "the local worker cannot be started: " + e.getMessage());
            LOG.error("{}", status.detail());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Path log() {
        return settings.files().logs().resolve("worker.log");
    }

    private synchronized @Nullable Process launch(List<String> command) throws IOException {
        if (stopping) {
            return null;
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        builder.environment()
                .put("TILEWRIGHT_HOME", settings.home().toAbsolutePath().toString());
        // The worker has no business with the database.
        builder.environment().remove("DATABASE_URL");
        process = builder.start();
        process.getOutputStream().close();
        status = new Status(State.RUNNING, "process " + process.pid());
        return process;
    }

    private synchronized boolean isStopping() {
        return stopping;
    }

    /** Before the server stops listening, so that the worker can say what it did last. */
    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void closing(ContextClosedEvent event) throws InterruptedException {
        stop();
    }

    /** Ends the child, with force if it does not go by itself. */
    void stop() throws InterruptedException {
        Process child;
        synchronized (this) {
            stopping = true;
            child = process;
        }
        if (child != null) {
            child.destroy();
            if (!child.waitFor(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                child.descendants().forEach(ProcessHandle::destroyForcibly);
                child.destroyForcibly();
            }
        }
    }
}
