package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.worker.link.CborChannel;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class OutboxTest {

    private static CborChannel<RunnerReply, RunnerRequest> to(OutputStream written) {
        return new CborChannel<>(InputStream.nullInputStream(), written, RunnerRequest.class);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopping) {
            throw new IllegalStateException(stopping);
        }
    }

    @Test
    void whatIsHandedInLaterIsSaidLaterHoweverLongTheFirstTakesToMake() throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        CountDownLatch handedIn = new CountDownLatch(1);
        try (Outbox outbox = new Outbox(to(written))) {
            outbox.send(() -> {
                await(handedIn);
                return new RunnerReply.Healthy();
            });
            outbox.send(() -> new RunnerReply.Phase("load"));
            handedIn.countDown();
        }
        assertThat(WrittenReplies.of(written))
                .containsExactly(new RunnerReply.Healthy(), new RunnerReply.Phase("load"));
    }

    @Test
    void aReplyThatCannotBeMadeIsAFailure() throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (Outbox outbox = new Outbox(to(written))) {
            outbox.send(() -> {
                throw new IllegalStateException("no sum");
            });
        }
        assertThat(WrittenReplies.of(written))
                .containsExactly(new RunnerReply.Failed("java.lang.IllegalStateException: no sum"));
    }

    /** The host takes the next reply for the one that is missing. */
    @Test
    void behindAReplyThatIsLostNothingIsSaid() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        CountDownLatch handedIn = new CountDownLatch(1);
        Outbox outbox = new Outbox(to(written));
        outbox.send(() -> {
            await(handedIn);
            throw new OutOfMemoryError("no room for a sum");
        });
        outbox.send(() -> new RunnerReply.Healthy());
        handedIn.countDown();
        assertThatThrownBy(outbox::close)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("no room");
        assertThat(written.size()).isZero();
    }

    @Test
    void aHostThatIsGoneIsNoticed() {
        OutputStream gone = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("broken pipe");
            }
        };
        Outbox outbox = new Outbox(to(gone));
        outbox.send(() -> new RunnerReply.Healthy());
        assertThatThrownBy(outbox::close)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("broken pipe");
        assertThatThrownBy(() -> outbox.send(() -> new RunnerReply.Healthy())).isInstanceOf(UncheckedIOException.class);
    }
}
