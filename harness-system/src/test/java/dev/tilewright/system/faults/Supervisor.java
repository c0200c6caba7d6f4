package dev.tilewright.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;

/** Starts {@code serve}, and starts it again when it ends, as systemd or a person would. */
final class Supervisor implements AutoCloseable {

    private final Installation installation;
    private final Map<String, String> environment;
    private Process service;
    private int restarts;
    private boolean closing;

    Supervisor(Installation installation, Map<String, String> environment) throws IOException {
        this.installation = installation;
        this.environment = environment;
        this.service = launch();
    }

    private Process launch() throws IOException {
        Process process = installation.serve("simulated:h200", environment);
        process.onExit().thenRun(this::again);
        return process;
    }

    private synchronized void again() {
        if (!closing) {
            try {
                service = launch();
                restarts++;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** How often the service has ended. */
    synchronized int restarts() {
        return restarts;
    }

    /** Ends the service as a person would. */
    @Override
    public void close() {
        Process last;
        synchronized (this) {
            closing = true;
            last = service;
        }
        last.destroy();
        assertThat(last.onExit()).as("SIGTERM ends the service").succeedsWithin(Duration.ofMinutes(2));
    }
}
