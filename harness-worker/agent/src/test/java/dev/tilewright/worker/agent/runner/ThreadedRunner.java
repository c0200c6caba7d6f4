package dev.tilewright.worker.agent.runner;

import dev.tilewright.worker.link.CborChannel;
import dev.tilewright.worker.link.process.Answer;
import dev.tilewright.worker.link.process.ChildLink;
import dev.tilewright.worker.link.process.ExitStatus;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** A {@link FakeRunner} in a thread of this JVM: it hangs, dies and is killed as a process is, only sooner. */
final class ThreadedRunner implements ChildLink<RunnerRequest, RunnerReply>, FakeRunner.Body {

    /** The end of a stream; no message is empty. */
    private static final byte[] END = {};

    private final BlockingQueue<byte[]> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<byte[]> replies = new LinkedBlockingQueue<>();
    private final AtomicReference<ExitStatus> ended = new AtomicReference<>();
    private final StringBuffer stderr = new StringBuffer();
    private final Thread thread;

    /** Leaves a thread whose runner has ended. */
    private static final class Over extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private ThreadedRunner(Path directory) {
        thread = Thread.ofVirtual().unstarted(() -> live(directory));
    }

    static ThreadedRunner start(Path directory) throws IOException {
        Files.createTempFile(directory, "run-", "");
        ThreadedRunner runner = new ThreadedRunner(directory);
        runner.thread.start();
        return runner;
    }

    private void live(Path directory) {
        try {
            FakeRunner.run(this, directory);
            end(new ExitStatus(0));
        } catch (Over | InterruptedException over) {
            // It was said why.
        } catch (IOException | RuntimeException fault) {
            stderr.append(fault);
            end(new ExitStatus(1));
        }
    }

    private void end(ExitStatus status) {
        if (ended.compareAndSet(null, status)) {
            replies.add(END);
        }
    }

    private static byte[] encoded(Object message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new CborChannel<>(InputStream.nullInputStream(), bytes, Object.class).send(message);
        return bytes.toByteArray();
    }

    private static <T> T decoded(byte[] message, Class<T> type) throws IOException {
        return new CborChannel<>(new ByteArrayInputStream(message), OutputStream.nullOutputStream(), type)
                .receive()
                .orElseThrow();
    }

    // ---- as its host sees it ------------------------------------------------------------------------------------

    @Override
    public boolean send(RunnerRequest request) {
        try {
            requests.add(encoded(request));
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
        return isAlive();
    }

    @Override
    public Answer<RunnerReply> receive(Duration limit) {
        try {
            byte[] message = replies.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (message == null) {
                kill();
                return new Answer.Overdue<>(limit, stderr.toString());
            }
            return message == END
                    ? new Answer.Gone<>(ended.get(), stderr.toString())
                    : new Answer.Message<>(decoded(message, RunnerReply.class));
        } catch (IOException | InterruptedException fault) {
            throw new IllegalStateException(fault);
        }
    }

    @Override
    public boolean isAlive() {
        return ended.get() == null;
    }

    @Override
    public void kill() {
        strike();
        try {
            thread.join();
        } catch (InterruptedException fault) {
            throw new IllegalStateException(fault);
        }
    }

    @Override
    public void strike() {
        end(ExitStatus.killed());
        thread.interrupt();
    }

    @Override
    public void close() {
        requests.add(END);
        try {
            if (!thread.join(Duration.ofSeconds(2))) {
                kill();
            }
        } catch (InterruptedException fault) {
            throw new IllegalStateException(fault);
        }
    }

    // ---- as the runner sees it ----------------------------------------------------------------------------------

    @Override
    public void send(RunnerReply reply) throws IOException {
        if (!isAlive()) {
            throw new Over();
        }
        replies.add(encoded(reply));
    }

    @Override
    public Optional<RunnerRequest> receive() throws IOException, InterruptedException {
        byte[] message = requests.take();
        return message == END ? Optional.empty() : Optional.of(decoded(message, RunnerRequest.class));
    }

    @Override
    public void die(int code, String words) {
        stderr.append(words);
        end(new ExitStatus(code));
        throw new Over();
    }

    @Override
    public void dieByOthers() {
        end(ExitStatus.killed());
        throw new Over();
    }

    @Override
    public void hang() throws InterruptedException {
        new CountDownLatch(1).await();
    }
}
