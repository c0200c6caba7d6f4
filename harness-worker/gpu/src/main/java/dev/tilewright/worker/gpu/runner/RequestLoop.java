package dev.tilewright.worker.gpu.runner;

import dev.tilewright.worker.gpu.runner.RequestHandler.Answer;
import dev.tilewright.worker.link.CborChannel;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Answers one request after the other.
 *
 * @param nanoTime wall time for durations, in nanoseconds
 */
record RequestLoop(RequestHandler handler, LongSupplier nanoTime) {

    /**
     * Serves until the host closes the stream or the device has faulted.
     *
     * @return false if it ended because of a fault
     */
    boolean serve(CborChannel<RunnerReply, RunnerRequest> host) throws IOException {
        Inbox inbox = Inbox.of(host);
        try (Outbox outbox = new Outbox(host)) {
            for (Optional<RunnerRequest> request = next(inbox); request.isPresent(); request = next(inbox)) {
                Phases phases = new Phases(nanoTime, name -> outbox.send(() -> new RunnerReply.Phase(name)));
                Answer answer = answer(request.get(), phases, inbox);
                outbox.send(answer.reply());
                if (!answer.usable()) {
                    return false;
                }
            }
            return true;
        } catch (UncheckedIOException hostGone) {
            throw hostGone.getCause();
        }
    }

    private Optional<RunnerRequest> next(Inbox inbox) throws IOException {
        handler.rest();
        return inbox.take();
    }

    private Answer answer(RunnerRequest request, Phases phases, Inbox inbox) {
        try {
            return handler.answer(request, phases, inbox::next);
        } catch (UncheckedIOException hostGone) {
            throw hostGone;
        } catch (RuntimeException failure) {
            return new Answer(new RunnerReply.Failed(failure.toString()), true);
        }
    }
}
