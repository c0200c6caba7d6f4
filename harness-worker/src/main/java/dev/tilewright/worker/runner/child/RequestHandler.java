package dev.tilewright.worker.runner.child;

import dev.tilewright.worker.runner.link.RunnerReply;
import dev.tilewright.worker.runner.link.RunnerRequest;

/** What a runner does with its requests: run them on a GPU, predict, or prove. */
interface RequestHandler {

    /**
     * An answer.
     *
     * @param usable whether the device can still be used after it
     */
    record Answer(RunnerReply reply, boolean usable) {}

    /**
     * Answers one request. A runtime exception is a failure of the runner, not of what was asked for.
     *
     * @param phases hears what the request is at
     */
    Answer answer(RunnerRequest request, Phases phases);
}
