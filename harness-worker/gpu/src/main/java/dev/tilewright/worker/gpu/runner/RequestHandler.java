package dev.tilewright.worker.gpu.runner;

import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.Optional;
import java.util.function.Supplier;

/** Handles the requests of a runner: runs them on a GPU, predicts, or proves. */
interface RequestHandler {

    /**
     * An answer.
     *
     * @param reply makes it, when the device may already be at the next request: without touching it
     * @param usable whether the device can still be used after it
     */
    record Answer(Supplier<? extends RunnerReply> reply, boolean usable) {
        Answer(RunnerReply reply, boolean usable) {
            this(() -> reply, usable);
        }
    }

    /**
     * Answers one request. A runtime exception is a failure of the runner, not of what was asked for.
     *
     * @param phases hears what the request is at
     */
    Answer answer(RunnerRequest request, Phases phases);

    /**
     * The same, with what comes next.
     *
     * @param next the request that comes after this one, as soon as it is known: it may be made ready, and its first
     *     steps be put into the stream
     */
    default Answer answer(RunnerRequest request, Phases phases, Supplier<Optional<RunnerRequest>> next) {
        return answer(request, phases);
    }

    /** All requests are answered. Now the next one is waited for. */
    default void rest() {
        // Nothing is done meanwhile.
    }
}
