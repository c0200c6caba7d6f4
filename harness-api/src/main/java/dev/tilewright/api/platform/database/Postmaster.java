package dev.tilewright.api.platform.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The Postgres processes of one data directory, found through {@code postmaster.pid} and what the kernel says of them.
 */
public record Postmaster(Path dataDirectory) {

    /** Of the pid file, counted from 0. */
    private static final int PORT_LINE = 3;

    private static final Duration STOP = Duration.ofSeconds(5);

    /** The postmaster named by {@code postmaster.pid}, if that process is a Postgres that works in this directory. */
    Optional<ProcessHandle> running() throws IOException {
        Path file = pidFile();
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty() || !lines.getFirst().strip().matches("\\d{1,18}")) {
            return Optional.empty();
        }
        return ProcessHandle.of(Long.parseLong(lines.getFirst().strip()))
                .filter(ProcessHandle::isAlive)
                .filter(this::worksHere);
    }

    /** Where the running postmaster listens; empty if none runs, or it is still coming up. */
    public OptionalInt port() throws IOException {
        if (running().isEmpty()) {
            return OptionalInt.empty();
        }
        List<String> lines = Files.readAllLines(pidFile());
        return lines.size() > PORT_LINE && lines.get(PORT_LINE).strip().matches("\\d{1,5}")
                ? OptionalInt.of(Integer.parseInt(lines.get(PORT_LINE).strip()))
                : OptionalInt.empty();
    }

    /**
     * Ends what a killed service left behind, so that the directory is free: a postmaster is shut down; a pid file that
     * names some other process is removed, because Postgres would take that process for a postmaster.
     */
    void free() throws IOException {
        Optional<ProcessHandle> orphan = running();
        if (orphan.isPresent()) {
            interrupt(orphan.get());
        } else {
            Files.deleteIfExists(pidFile());
        }
        awaitWorkersGone();
    }

    /** Waits until no Postgres process works in the directory: until then a new one refuses its shared memory. */
    void awaitWorkersGone() {
        List<ProcessHandle> left =
                ProcessHandle.allProcesses().filter(this::worksHere).toList();
        left.forEach(process -> await(process.onExit(), STOP));
        left.stream().filter(ProcessHandle::isAlive).forEach(ProcessHandle::destroyForcibly);
        left.forEach(process -> await(process.onExit(), STOP));
    }

    private Path pidFile() {
        return dataDirectory.resolve("postmaster.pid");
    }

    private boolean worksHere(ProcessHandle process) {
        boolean postgres = process.info()
                .command()
                .map(command -> command.endsWith("/postgres"))
                .orElse(false);
        if (!postgres) {
            return false;
        }
        try {
            return Files.isSameFile(Path.of("/proc", Long.toString(process.pid()), "cwd"), dataDirectory);
        } catch (IOException gone) {
            return false;
        }
    }

    /** A fast shutdown: sessions are ended, nothing is lost. */
    private static void interrupt(ProcessHandle postmaster) throws IOException {
        new ProcessBuilder("sh", "-c", "kill -INT " + postmaster.pid())
                .inheritIO()
                .start();
        if (!await(postmaster.onExit(), STOP)) {
            postmaster.destroyForcibly();
            await(postmaster.onExit(), STOP);
        }
    }

    private static boolean await(CompletableFuture<ProcessHandle> exit, Duration limit) {
        try {
            exit.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
