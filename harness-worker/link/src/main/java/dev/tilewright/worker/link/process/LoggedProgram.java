package dev.tilewright.worker.link.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** A program of the user that runs beside this process, without input. Its output goes to a file. */
public final class LoggedProgram implements AutoCloseable {

    private static final int SHOWN_LINES = 12;

    private final Process process;
    private final LastWord lastWord;
    private final Path log;

    private LoggedProgram(Process process, String name, Path log) {
        this.process = process;
        this.lastWord = new LastWord(process, name);
        this.log = log;
    }

    /**
     * Starts it.
     *
     * @param environment beside that of this process
     * @param folder in which it runs
     * @param log is replaced
     * @throws IOException if it cannot be started
     */
    public static LoggedProgram start(List<String> command, Map<String, String> environment, Path folder, Path log)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return new LoggedProgram(process, command.getFirst(), log);
    }

    /** Its exit code, if it ends in this time. */
    public OptionalInt exit(Duration limit) throws InterruptedException {
        return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)
                ? OptionalInt.of(process.exitValue())
                : OptionalInt.empty();
    }

    /** The last lines that it printed; empty if they cannot be read. */
    public Optional<List<String>> lastLines() {
        try {
            List<String> all = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
            return Optional.of(all.subList(Math.max(0, all.size() - SHOWN_LINES), all.size()));
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    /** Whether it may have been ended because this process is ending. Its end then says nothing of it. */
    public boolean endsWithUs() {
        return lastWord.forget();
    }

    /** Kills it with all that it started. */
    @Override
    public void close() {
        new ProcessTree(process.toHandle()).kill();
        lastWord.forget();
    }
}
