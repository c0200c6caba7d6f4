package dev.tilewright.worker.runner.child;

import dev.tilewright.worker.link.FrameChannel;
import dev.tilewright.worker.runner.child.RequestHandler.Answer;
import dev.tilewright.worker.runner.link.RunnerReply;
import dev.tilewright.worker.runner.link.RunnerRequest;
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
    boolean serve(FrameChannel<RunnerReply, RunnerRequest> host) throws IOException {
        Inbox inbox = Inbox.of(host);
        for (Optional<RunnerRequest> request = next(inbox); request.isPresent(); request = next(inbox)) {
            Answer answer = answer(request.get(), new Phases(nanoTime, name -> announce(host, name)), inbox);
            host.send(answer.reply());
            if (!answer.usable()) {
                return false;
            }
        }
        return true;
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

    private static void announce(FrameChannel<RunnerReply, RunnerRequest> host, String phase) {
        try {
            host.send(new RunnerReply.Phase(phase));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
