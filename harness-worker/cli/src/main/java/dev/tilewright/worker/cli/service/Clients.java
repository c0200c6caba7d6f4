package dev.tilewright.worker.cli.service;

import dev.tilewright.worker.link.home.ServiceUnavailableException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The processes that use the service of a home: each has a file named by its process id, which holds the moment that
 * process started, so that a later process with the same id is not mistaken for it.
 */
final class Clients {

    private static final String LOCK = "lock";

    private final Path directory;
    private final Path own;

    Clients(Path directory) {
        this.directory = directory;
        this.own = directory.resolve(Long.toString(ProcessHandle.current().pid()));
    }

    /** Something that is done while no other process of this home joins or leaves. */
    interface Exclusively<T> {
        T run() throws IOException, InterruptedException, ServiceUnavailableException;
    }

    synchronized <T> T exclusively(Exclusively<T> action)
            throws IOException, InterruptedException, ServiceUnavailableException {
        Files.createDirectories(directory);
        try (FileChannel channel =
                        FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            assert held.isValid();
            return action.run();
        }
    }

    void enter() throws IOException {
        Files.writeString(own, started(ProcessHandle.current()));
    }

    void leave() throws IOException {
        Files.deleteIfExists(own);
    }

    /** Whether a process other than this one uses the service; removes the files of those that are gone. */
    boolean hasOthers() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(file -> file.getFileName().toString().matches("\\d+"))
                    .filter(file -> !file.equals(own))
                    .toList();
        }
        boolean others = false;
        for (Path file : files) {
            if (isLive(file)) {
                others = true;
            } else {
                Files.deleteIfExists(file);
            }
        }
        return others;
    }

    private static boolean isLive(Path file) throws IOException {
        Optional<ProcessHandle> process =
                ProcessHandle.of(Long.parseLong(file.getFileName().toString()));
        return process.isPresent()
                && process.get().isAlive()
                && Files.readString(file).strip().equals(started(process.get()));
    }

    private static String started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toString).orElse("unknown");
    }
}
