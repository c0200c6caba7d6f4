package dev.tilewright.worker.agent.runner;

import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends what one thread waits for when another thread says that it is wanted no more, at whatever time that comes: it is
 * remembered until other work begins.
 */
final class Abandonment {

    private final RunnerHost host;
    private boolean came;
    private boolean watching;

    Abandonment(RunnerHost host) {
        this.host = host;
    }

    /** Other work begins, which is still wanted. */
    synchronized void renew() {
        came = false;
    }

    /** The work at hand is wanted no more. */
    synchronized void come() {
        if (watching && !came) {
            host.strike();
        }
        came = true;
    }

    /**
     * Passes a request and waits for its answer, or for the end of the runner.
     *
     * @param phases is told which phase of the request the runner enters
     * @throws CancellationException if it is wanted no more, since before or meanwhile; the next one starts another
     *     runner
     */
    RunnerHost.Outcome request(
            RunnerRequest request, Duration limit, RunnerHost.@Nullable Following next, Consumer<String> phases)
            throws DeviceUnusableException {
        watch();
        try {
            host.makeReady(request);
            // An abandonment that came before this line hit an earlier runner or none: check again.
            refuseIfCame();
            return host.request(request, limit, next, phases);
        } finally {
            endWatch();
        }
    }

    private synchronized void watch() {
        refuseIfCame();
        watching = true;
    }

    private synchronized void refuseIfCame() {
        if (came) {
            throw wantedNoMore();
        }
    }

    private void endWatch() {
        boolean ended;
        synchronized (this) {
            watching = false;
            ended = came;
        }
        if (ended) {
            host.discard();
            throw wantedNoMore();
        }
    }

    private static CancellationException wantedNoMore() {
        return new CancellationException("it is wanted no more");
    }
}
