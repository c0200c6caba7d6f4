package dev.tilewright.worker.link.process;

import dev.tilewright.worker.link.CborChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A child process that is spoken to in messages over its standard streams. */
public final class LinkedChild<S, R> implements ChildLink<S, R> {

    private final Process process;
    private final CborChannel<S, R> channel;
    private final LineTail stderr;

    private LinkedChild(Process process, CborChannel<S, R> channel, LineTail stderr) {
        this.process = process;
        this.channel = channel;
        this.stderr = stderr;
    }

    /**
     * Starts the child.
     *
     * @param received what it sends
     * @param onStderr gets each line of its standard error
     */
    public static <S, R> LinkedChild<S, R> start(ChildCommand command, Class<R> received, Consumer<String> onStderr)
            throws IOException {
        Process process = command.builder().start();
        LineTail stderr = LineTail.of(command.name() + " stderr", process.getErrorStream(), onStderr);
        return new LinkedChild<>(
                process, new CborChannel<>(process.getInputStream(), process.getOutputStream(), received), stderr);
    }

    /** Sends a request, then waits as {@link #receive} does. */
    public Answer<R> ask(S request, Duration limit) {
        return send(request) ? receive(limit) : gone("");
    }

    @Override
    public boolean send(S request) {
        try {
            channel.send(request);
            return true;
        } catch (IOException brokenPipe) {
            return false;
        }
    }

    @Override
    public Answer<R> receive(Duration limit) {
        AtomicBoolean overdue = new AtomicBoolean();
        CompletableFuture<Void> deadline = CompletableFuture.runAsync(
                () -> {
                    overdue.set(!new ProcessTree(process.toHandle()).isStopped());
                    kill();
                },
                CompletableFuture.delayedExecutor(limit.toNanos(), TimeUnit.NANOSECONDS));
        try {
            Optional<R> message = channel.receive();
            if (message.isPresent() && deadline.cancel(false) && !overdue.get()) {
                return new Answer.Message<>(message.get());
            }
            return overdue.get() ? new Answer.Overdue<>(limit, stderr.text()) : gone("");
        } catch (IOException broken) {
            return overdue.get() ? new Answer.Overdue<>(limit, stderr.text()) : gone(broken.getMessage());
        } finally {
            deadline.cancel(false);
        }
    }

    /** The child closed its streams, or what it sent cannot be read: either way it is of no more use. */
    private Answer<R> gone(String why) {
        if (!new ProcessTree(process.toHandle()).awaitExit(Duration.ofSeconds(5))) {
            kill();
        }
        String words = stderr.text();
        return new Answer.Gone<>(ExitStatus.of(process), why.isEmpty() ? words : (words + "\n" + why).strip());
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void kill() {
        new ProcessTree(process.toHandle()).kill();
    }

    @Override
    public void strike() {
        new ProcessTree(process.toHandle()).strike();
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException alreadyGone) {
            // Then there is nobody left to tell.
        }
        if (!new ProcessTree(process.toHandle()).awaitExit(Duration.ofSeconds(2))) {
            kill();
        }
    }
}
