package dev.tilewright.worker.link.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program that is run to its end, without input. Where this process is ended first, it is killed.
 *
 * @param folder that it runs in
 * @param limit on its time; then it is killed with all that it started
 * @param mostPrinted bytes that are read of each of its outputs
 */
public record ProgramRun(List<String> command, Path folder, Duration limit, int mostPrinted) {

    /**
     * How it ended.
     *
     * @param out what it printed
     * @param err what it printed on standard error
     */
    public record Ended(int exit, String out, String err) {}

    public ProgramRun {
        command = List.copyOf(command);
    }

    /**
     * Runs it.
     *
     * @throws IOException if it cannot be started or read, or prints too much
     * @throws TimeoutException if it does not end in its time
     */
    public Ended run() throws IOException, InterruptedException, TimeoutException {
        Process process = new ProcessBuilder(command).directory(folder.toFile()).start();
        Thread lastWord = new Thread(new ProcessTree(process.toHandle())::strike, "end " + command.getFirst());
        try {
            remember(lastWord);
            process.getOutputStream().close();
            long end = System.nanoTime() + limit.toNanos();
            FutureTask<String> out = reading(process.getInputStream());
            FutureTask<String> err = reading(process.getErrorStream());
            String printed = get(out, end);
            String complained = get(err, end);
            if (!process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException();
            }
            return new Ended(process.exitValue(), printed, complained);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            forget(lastWord);
        }
    }

    private static void remember(Thread lastWord) {
        try {
            Runtime.getRuntime().addShutdownHook(lastWord);
        } catch (IllegalStateException ending) {
            // This run is a last word itself, and ends by its limit.
        }
    }

    private static void forget(Thread lastWord) {
        try {
            Runtime.getRuntime().removeShutdownHook(lastWord);
        } catch (IllegalStateException ending) {
            // It is at work.
        }
    }

    private static String get(FutureTask<String> task, long end)
            throws IOException, InterruptedException, TimeoutException {
        try {
            return task.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException unreadable) {
            throw new IOException(String.valueOf(unreadable.getCause().getMessage()), unreadable);
        }
    }

    private FutureTask<String> reading(InputStream stream) {
        FutureTask<String> task = new FutureTask<>(() -> {
            byte[] bytes = stream.readNBytes(mostPrinted + 1);
            if (bytes.length > mostPrinted) {
                throw new IOException("may print at most " + mostPrinted + " bytes");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        });
        // Who reads a pipe keeps the carrier of a virtual thread, and few of them hold up all others.
        Thread.ofPlatform().daemon().name("reads " + command.getFirst()).start(task);
        return task;
    }
}
