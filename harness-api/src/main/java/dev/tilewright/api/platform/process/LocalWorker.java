package dev.tilewright.api.platform.process;

import dev.tilewright.api.platform.ServiceHome;
import dev.tilewright.model.exchange.DeviceSelector;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * The worker on the service's own machine: a child process, started beside the service, which it finds by the file that
 * a service writes when it listens. When it dies it is started again, after pauses that grow and for ever: whoever
 * killed it, and whatever is wrong with its device, may go away. Only a worker that calls its own command line wrong is
 * not, because another start would end the same way.
 */
public final class LocalWorker {

    /** The state of the child process. */
    public enum State {
        OFF,
        /** It runs and has not registered yet. */
        STARTING,
        RUNNING,
        RESTARTING,
        FAILED
    }

    /**
     * How the child is doing.
     *
     * @param detail one line for people
     * @param restarts how often it has been started again
     */
    public record Status(State state, String detail, int restarts) {}

    private static final Logger LOG = LoggerFactory.getLogger(LocalWorker.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** Age from which the death of a worker is not one of a series. */
    private static final Duration WELL = Duration.ofMinutes(1);

    private static final Duration STOP = Duration.ofSeconds(3);

    /** A worker whose classes are recorded (see the launcher) writes an archive before it goes. */
    private static final Duration STOP_RECORDED = Duration.ofSeconds(60);

    private static final int BAD_USAGE = 2;

    /** The worker has no business with the database, nor with what users do. */
    private static final List<String> NOT_OF_WORKERS =
            List.of("DATABASE_URL", "DATABASE_PASSWORD", "TILEWRIGHT_USER_TOKEN", "TILEWRIGHT_TOKEN");

    private final ServiceHome home;
    private final String device;
    private final String logFormat;
    private final @Nullable Path launcher;
    private volatile Status status = new Status(State.OFF, "no local worker was asked for", 0);
    private @Nullable Process process;
    private boolean stopping;

    /**
     * One that {@link #start} starts.
     *
     * @param device what it offers, beside an emulated GPU that checks what users paste
     * @param logFormat {@code text} or {@code json}
     * @param launcher the launcher script, without which no worker can be started
     */
    public LocalWorker(ServiceHome home, String device, String logFormat, @Nullable Path launcher) {
        this.home = home;
        this.device = device;
        this.logFormat = logFormat;
        this.launcher = launcher;
    }

    /** How the child is doing. */
    public Status status() {
        return status;
    }

    /** The device that it offers to studies which name none; empty if none was asked for. */
    public Optional<String> device() {
        return status.state() == State.OFF ? Optional.empty() : Optional.of(device);
    }

    /** Starts the child and keeps it running. */
    public void start() {
        if (launcher == null) {
            status = new Status(
                    State.FAILED, "no launcher is known: the system property tilewright.launcher is not set", 0);
            LOG.warn("no local worker: {}", status.detail());
            return;
        }
        List<String> command = command(launcher);
        Thread.ofVirtual().name("local-worker").start(() -> keepRunning(command));
    }

    private List<String> command(Path script) {
        return List.of(
                script.toString(),
                "worker",
                "--service-file",
                home.serviceFile().toAbsolutePath().toString(),
                "--token",
                "@" + home.workerToken().toAbsolutePath(),
                "--device",
                offered(),
                "--log-format",
                logFormat,
                "--parent",
                Long.toString(ProcessHandle.current().pid()));
    }

    /** Checks of texts ask for the emulated GPU of the default size, and one of it is enough. */
    private String offered() {
        String checks = new DeviceSelector.Emulated(DeviceSelector.Emulated.DEFAULT_SMS).toString();
        return device.equals(checks) ? device : device + "," + checks;
    }

    private void keepRunning(List<String> command) {
        Duration pause = FIRST_PAUSE;
        Deaths deaths = new Deaths(log());
        try {
            while (true) {
                long started = System.nanoTime();
                OptionalInt code = outcome(command, deaths);
                if (isStopping()) {
                    return;
                }
                if (code.isPresent() && code.getAsInt() == BAD_USAGE) {
                    become(
                            State.FAILED,
                            deaths,
                            deaths.last() + "; it is not started again: it would end the same way");
                    LOG.error("{}", status.detail());
                    return;
                }
                pause = System.nanoTime() - started > WELL.toNanos() ? FIRST_PAUSE : pause;
                become(State.RESTARTING, deaths, deaths.last() + "; it is started again in " + inSeconds(pause));
                LOG.warn("{}", status.detail());
                Thread.sleep(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs the child to its end; empty if it cannot even be started, which may pass too. */
    private OptionalInt outcome(List<String> command, Deaths deaths) throws InterruptedException {
        try {
            deaths.begin();
            Process child = launch(command, deaths);
            if (child == null) {
                return OptionalInt.empty();
            }
            int code = child.waitFor();
            deaths.ended(code);
            return OptionalInt.of(code);
        } catch (IOException e) {
            deaths.notStarted(e);
            return OptionalInt.empty();
        }
    }

    private synchronized void become(State state, Deaths deaths, String detail) {
        status = new Status(state, detail, deaths.restarts());
    }

    private static String inSeconds(Duration pause) {
        return String.format(Locale.ROOT, "%.1f s", pause.toMillis() / 1e3);
    }

    private Path log() {
        return home.logs().resolve("worker.log");
    }

    private synchronized @Nullable Process launch(List<String> command, Deaths deaths) throws IOException {
        if (stopping) {
            return null;
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        builder.environment()
                .put("TILEWRIGHT_HOME", home.root().toAbsolutePath().toString());
        NOT_OF_WORKERS.forEach(name -> {
            builder.environment().remove(name);
            builder.environment().remove(name + "_FILE");
        });
        process = builder.start();
        process.getOutputStream().close();
        become(State.STARTING, deaths, "process " + process.pid() + " is coming up" + deaths.before());
        return process;
    }

    /** Notes that a worker has registered: if it is the child, it is up. */
    public synchronized void registered(long pid) {
        if (process != null && process.pid() == pid && status.state() == State.STARTING) {
            status = new Status(State.RUNNING, status.detail().replace(" is coming up", ""), status.restarts());
            if (status.restarts() > 0) {
                LOG.info("the local worker is back: {}", status.detail());
            }
        }
    }

    private synchronized boolean isStopping() {
        return stopping;
    }

    /** Before the server stops listening, so that the worker can say what it did last. */
    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void closing(ContextClosedEvent event) {
        stop();
    }

    /** Ends the child, with force if it does not go by itself. */
    public void stop() {
        Process child;
        synchronized (this) {
            stopping = true;
            child = process;
        }
        if (child != null) {
            child.destroy();
            if (!endsSoon(child)) {
                child.descendants().forEach(ProcessHandle::destroyForcibly);
                child.destroyForcibly();
            }
        }
    }

    private static boolean endsSoon(Process child) {
        try {
            Duration limit = System.getenv("TILEWRIGHT_RECORD") == null ? STOP : STOP_RECORDED;
            return child.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
