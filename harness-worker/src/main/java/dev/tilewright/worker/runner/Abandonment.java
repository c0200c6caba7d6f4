package dev.tilewright.worker.runner;

import dev.tilewright.worker.device.DeviceUnusableException;
import java.util.concurrent.CancellationException;

/** Ends what one thread waits for when another thread says so, but never what comes before it or after. */
final class Abandonment {

    private final RunnerHost host;
    private boolean watching;
    private boolean came;

    Abandonment(RunnerHost host) {
        this.host = host;
    }

    /** What a runner is asked. */
    interface Question {
        RunnerHost.Outcome ask() throws DeviceUnusableException;
    }

    /**
     * Waits for an answer, or for the end of the runner.
     *
     * @throws CancellationException if it was abandoned meanwhile; the next question starts another runner
     */
    RunnerHost.Outcome watch(Question question) throws DeviceUnusableException {
        begin();
        try {
            return question.ask();
        } finally {
            end();
        }
    }

    private synchronized void begin() {
        watching = true;
        came = false;
    }

    private void end() {
        boolean abandoned;
        synchronized (this) {
            watching = false;
            abandoned = came;
        }
        if (abandoned) {
            host.discard();
            throw new CancellationException("it is wanted no more");
        }
    }

    /** What is watched, if anything, is wanted no more. */
    synchronized void come() {
        if (watching && !came) {
            came = true;
            host.strike();
        }
    }
}
