package dev.tilewright.worker.link.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program that is run to its end, without input. Where this process is ended first, it is killed. A child that the
 * program leaves behind is not waited for.
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
        LastWord lastWord = new LastWord(process, command.getFirst());
        try {
            process.getOutputStream().close();
            PrintedText out = PrintedText.of(process, process.getInputStream(), mostPrinted);
            PrintedText err = PrintedText.of(process, process.getErrorStream(), mostPrinted);
            if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException();
            }
            return new Ended(process.exitValue(), out.whole(), err.whole());
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            lastWord.forget();
        }
    }
}
