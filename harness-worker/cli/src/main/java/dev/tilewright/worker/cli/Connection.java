package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.ServiceFile;
import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.cli.service.LocalService;
import dev.tilewright.worker.link.client.ApiClient;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.client.NotReachedException;
import dev.tilewright.worker.link.client.Trust;
import dev.tilewright.worker.link.client.UntrustedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.home.ServiceUnavailableException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The service that a verb talks to: a remote one, or that of this machine, which is started again when it dies. Every
 * request is repeated until it is answered or the service has been away for too long.
 */
public final class Connection implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** For a service of which nothing was ever heard: its address may be wrong, or nobody may have started it. */
    private static final Duration FIRST_PATIENCE = Duration.ofSeconds(3);

    private static final Duration PAUSE = Duration.ofMillis(500);

    private final @Nullable LocalService local;
    private final @Nullable String token;
    private final AtomicReference<Runnable> lastWord;
    private final Duration patience;
    private final PrintStream notices;
    private volatile ApiClient api;
    private volatile boolean heardOf;

    private Connection(
            @Nullable LocalService local,
            @Nullable String token,
            AtomicReference<Runnable> lastWord,
            URI base,
            Trust trust,
            Duration patience,
            PrintStream notices) {
        this.patience = patience;
        this.notices = notices;
        this.local = local;
        // That of this machine has said that it is well.
        this.heardOf = local != null;
        this.token = token;
        this.lastWord = lastWord;
        this.api = new ApiClient(base, token, trust);
    }

    /** To a service somewhere else. */
    static Connection remote(URI base, @Nullable String token, Trust trust, PrintStream notices) {
        return remote(base, token, trust, PATIENCE, notices);
    }

    /** The same with another patience, for tests. */
    static Connection remote(URI base, @Nullable String token, Trust trust, Duration patience, PrintStream notices) {
        AtomicReference<Runnable> lastWord = new AtomicReference<>(() -> {});
        Runtime.getRuntime().addShutdownHook(new Thread(() -> lastWord.get().run(), "last word"));
        return new Connection(null, token, lastWord, base, trust, patience, notices);
    }

    /**
     * To the service of this machine; starts it if there is none. The service is left whatever ends this process.
     *
     * @param token {@code null} to show the one in the home of a service that has drawn it
     */
    static Connection local(LocalService service, @Nullable String token, PrintStream notices)
            throws InterruptedException {
        AtomicReference<Runnable> lastWord = new AtomicReference<>(() -> {});
        Thread leave = new Thread(
                () -> {
                    lastWord.get().run();
                    service.close();
                },
                "leave the service");
        Runtime.getRuntime().addShutdownHook(leave);
        ServiceFile joined = join(service);
        return new Connection(
                service,
                token != null ? token : tokenOf(joined),
                lastWord,
                URI.create(joined.url()),
                Trust.of(joined),
                PATIENCE,
                notices);
    }

    /** Work for the case that this process is ended from outside. It is done while the service is still there. */
    public void onInterrupt(Runnable action) {
        lastWord.set(action);
    }

    private static ServiceFile join(LocalService service) throws InterruptedException {
        try {
            return service.join();
        } catch (ServiceUnavailableException unavailable) {
            service.close();
            throw new CommandFailedException(
                    ExitCode.INFRASTRUCTURE, unavailable.getMessage(), unavailable.details(), unavailable);
        }
    }

    private static @Nullable String tokenOf(ServiceFile joined) {
        if (joined.userToken() == null) {
            return null;
        }
        try {
            return Files.readString(Path.of(joined.userToken())).strip();
        } catch (IOException unreadable) {
            throw CommandFailedException.infrastructure(
                    "cannot read the token of the service in " + joined.userToken() + ": "
                            + FileFault.reason(unreadable),
                    unreadable);
        }
    }

    /** A request. */
    public interface Request<T> {
        T send(ApiClient api) throws IOException, ApiRefusedException, InterruptedException;
    }

    /**
     * Sends a request that may be repeated.
     *
     * @throws ApiRefusedException if the API says no
     * @throws CommandFailedException if the service stays away, soon if it was never there
     */
    public <T> T send(Request<T> request) throws ApiRefusedException, InterruptedException {
        Outage outage = new Outage();
        while (true) {
            try {
                T answer = request.send(api);
                heardOf = true;
                return answer;
            } catch (IOException away) {
                outage.bridge(away);
            }
        }
    }

    /** The time in which the service does not answer, from the first failure on. */
    final class Outage {

        private long since;
        private boolean begun;

        /** The service has answered: the next outage is another one. */
        void over() {
            begun = false;
        }

        /**
         * Pauses and looks for the service, so that the next request may be sent.
         *
         * @throws CommandFailedException if the service has been away for too long, or is not believed
         */
        void bridge(IOException away) throws InterruptedException {
            if (away instanceof UntrustedException) {
                throw CommandFailedException.usage(String.valueOf(away.getMessage()), away);
            }
            heardOf |= !(away instanceof NotReachedException);
            Duration limit = heardOf || patience.compareTo(FIRST_PATIENCE) < 0 ? patience : FIRST_PATIENCE;
            if (!begun) {
                begun = true;
                since = System.nanoTime();
                // That of this machine is started again, and says so.
                if (local == null) {
                    notices.println(away.getMessage() + "; trying for " + limit.toSeconds() + " s");
                }
            }
            if (System.nanoTime() - since > limit.toNanos()) {
                throw CommandFailedException.infrastructure(
                        heardOf
                                ? "the service has been away for " + limit.toSeconds() + " s: " + away.getMessage()
                                : "--api: " + away.getMessage() + "; does a service run there?",
                        away);
            }
            Thread.sleep(PAUSE);
            findAgain();
        }
    }

    /** The service of this machine comes back on another port. */
    private void findAgain() throws InterruptedException {
        if (local == null) {
            return;
        }
        ServiceFile joined = join(local);
        URI base = URI.create(joined.url());
        if (!base.equals(api.base())) {
            ApiClient before = api;
            api = new ApiClient(base, token, Trust.of(joined));
            before.close();
        }
    }

    /**
     * Cancels what was asked for, without repetition: whoever does so is about to end.
     *
     * @param path of what is cancelled
     * @param what it is, with its id, for people
     */
    public void cancel(String path, String what, PrintStream notices) {
        try {
            api.post(path + "/cancel", Map.of());
            notices.println(what + " is cancelled");
        } catch (IOException | ApiRefusedException notReached) {
            notices.println(what + " could not be cancelled: " + notReached.getMessage());
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    /** The client as it is now, for a last word without repetition. */
    public ApiClient api() {
        return api;
    }

    @Override
    public void close() {
        if (local != null) {
            local.close();
        }
        api.close();
    }
}
