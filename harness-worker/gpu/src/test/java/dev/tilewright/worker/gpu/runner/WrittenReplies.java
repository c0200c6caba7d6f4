package dev.tilewright.worker.gpu.runner;

import dev.tilewright.worker.link.CborChannel;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a runner wrote, as its host reads it. */
final class WrittenReplies {

    private WrittenReplies() {}

    static List<RunnerReply> of(ByteArrayOutputStream written) throws IOException {
        List<RunnerReply> replies = new ArrayList<>();
        try (var host = new CborChannel<RunnerRequest, RunnerReply>(
                new ByteArrayInputStream(written.toByteArray()), new ByteArrayOutputStream(), RunnerReply.class)) {
            for (Optional<RunnerReply> reply = host.receive(); reply.isPresent(); reply = host.receive()) {
                replies.add(reply.get());
            }
        }
        return replies;
    }
}
