package dev.tilewright.worker.cli.service;

import dev.tilewright.model.exchange.ServiceFile;
import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.link.client.Trust;
import dev.tilewright.worker.link.home.Home;
import dev.tilewright.worker.link.home.ServiceFileReader;
import dev.tilewright.worker.link.home.ServiceUnavailableException;
import dev.tilewright.worker.link.process.ExitStatus;
import dev.tilewright.worker.link.process.ProcessTree;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The service of a home, used by this process from {@link #join} to {@link #close}. A service that a tune started ends
 * with its last client; one that somebody started with {@code serve} stays.
 */
public final class LocalService implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(90);
    private static final Duration STOP = Duration.ofSeconds(30);

    /**
     * A service whose classes are recorded (see the launcher) writes an archive before it goes, and so does its worker.
     */
    private static final Duration STOP_RECORDED = Duration.ofSeconds(120);

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration HEALTH = Duration.ofSeconds(5);
    private static final int LOG_LINES = 12;
    private static final long LOG_BYTES = 64 << 10;

    private final Home home;
    private final ServiceFileReader file;
    private final Optional<Launcher> launcher;
    private final String device;
    private final PrintStream notices;
    private final Clients clients;
    private final AtomicBoolean joined = new AtomicBoolean();

    /**
     * @param device what the worker of a service that is started here offers
     * @param notices gets a line for each thing that takes time
     */
    public LocalService(Home home, Optional<Launcher> launcher, String device, PrintStream notices) {
        this.home = home;
        this.file = new ServiceFileReader(home.serviceFile());
        this.launcher = launcher;
        this.device = device;
        this.notices = notices;
        this.clients = new Clients(home.clients());
    }

    /**
     * The description that a healthy service gives of itself: the running one, or one that is started now. Also called
     * again when the service that was joined has died.
     *
     * @throws ServiceUnavailableException with the last lines of its log if it does not come up
     */
    public ServiceFile join() throws ServiceUnavailableException, InterruptedException {
        try {
            return clients.exclusively(() -> {
                clients.enter();
                joined.set(true);
                Optional<ServiceFile> running = running();
                return running.isPresent() ? running.get() : start();
            });
        } catch (IOException broken) {
            throw new ServiceUnavailableException(
                    "the home " + home.root() + " cannot be used: " + FileFault.reason(broken)
                            + "; TILEWRIGHT_HOME names another",
                    List.of());
        }
    }

    private ServiceFile start() throws IOException, InterruptedException, ServiceUnavailableException {
        if (launcher.isEmpty()) {
            throw new ServiceUnavailableException(
                    "no service runs for " + home.root() + ", and this process was not started by the launcher, so it"
                            + " cannot start one (start it with 'tilewright serve', or name one with --api)",
                    List.of());
        }
        notices.println("starting the service (data in " + home.root() + ", log in " + home.serviceLog() + ")");
        long logBefore = size(home.serviceLog());
        Process process = launcher.get().serve(device, home, home.serviceLog());
        long deadline = System.nanoTime() + START.toNanos();
        while (System.nanoTime() < deadline) {
            Optional<ServiceFile> up = healthy();
            if (up.isPresent()) {
                return up.get();
            }
            if (!process.isAlive()) {
                throw new ServiceUnavailableException(
                        "the service ended with " + new ExitStatus(process.exitValue()) + " while it was starting",
                        lastLogLines(logBefore));
            }
            Thread.sleep(POLL);
        }
        new ProcessTree(process.toHandle()).kill();
        throw new ServiceUnavailableException(
                "the service was not up within " + START.toSeconds() + " s", lastLogLines(logBefore));
    }

    /**
     * The service that runs, when it is well. One whose database is away for a moment has not gone: it is waited for,
     * since a second one on its home could not start anyway.
     */
    private Optional<ServiceFile> running() throws IOException, InterruptedException, ServiceUnavailableException {
        long deadline = System.nanoTime() + START.toNanos();
        Optional<ServiceFile> well = healthy();
        while (well.isEmpty() && isThere()) {
            if (System.nanoTime() > deadline) {
                throw new ServiceUnavailableException(
                        "the service that runs for " + home.root() + " has not been well for " + START.toSeconds()
                                + " s",
                        lastLogLines(0));
            }
            Thread.sleep(POLL);
            well = healthy();
        }
        return well;
    }

    private boolean isThere() throws IOException {
        return file.process().isPresent();
    }

    private Optional<ServiceFile> healthy() throws IOException, InterruptedException {
        Optional<ServiceFile> said = file.read();
        return said.isPresent() && said.get().process().isPresent() && isHealthy(said.get()) ? said : Optional.empty();
    }

    private static boolean isHealthy(ServiceFile service) throws InterruptedException {
        try (HttpClient http = Trust.of(service)
                .applied(HttpClient.newBuilder())
                .connectTimeout(HEALTH)
                .build()) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create(service.url()).resolve("/actuator/health/readiness"))
                    .timeout(HEALTH)
                    .build();
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException none) {
            return 0;
        }
    }

    /** The last lines behind a place in the log, which may be large. */
    private List<String> lastLogLines(long from) throws IOException {
        long size = size(home.serviceLog());
        if (size == 0) {
            return List.of();
        }
        try (SeekableByteChannel log = Files.newByteChannel(home.serviceLog())) {
            long start = Math.max(Math.min(from, size), size - LOG_BYTES);
            ByteBuffer tail = ByteBuffer.allocate((int) (size - start));
            log.position(start);
            while (tail.hasRemaining() && log.read(tail) >= 0) {
                // On.
            }
            List<String> lines = new String(tail.array(), 0, tail.position(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size());
        }
    }

    /** Leaves the service. If a tune started it and no other process uses it, ends it and waits for its end. */
    @Override
    public void close() {
        if (!joined.getAndSet(false)) {
            return;
        }
        try {
            clients.exclusively(() -> {
                clients.leave();
                if (!clients.hasOthers()) {
                    file.read()
                            .filter(ServiceFile::isStartedByTune)
                            .flatMap(ServiceFile::process)
                            .ifPresent(this::end);
                }
                return true;
            });
            if (launcher.isPresent()) {
                if (launcher.get().recordArchives(home)) {
                    notices.println(
                            "faster starts are being prepared in the background, once: about a minute of one core");
                }
            }
        } catch (IOException | ServiceUnavailableException broken) {
            notices.println("the service could not be left in order: " + broken.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(ProcessHandle service) {
        service.destroy();
        Duration limit = System.getenv("TILEWRIGHT_RECORD") == null ? STOP : STOP_RECORDED;
        if (!new ProcessTree(service).awaitExit(limit)) {
            notices.println("the service (process " + service.pid() + ") did not end within " + limit.toSeconds()
                    + " s and was killed; its log is " + home.serviceLog());
            new ProcessTree(service).kill();
        }
    }
}
