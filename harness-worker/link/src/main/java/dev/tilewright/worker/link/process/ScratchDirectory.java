package dev.tilewright.worker.link.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A temporary directory that goes away with its contents. A process that is killed leaves its own behind: each holds a
 * locked file, and the kernel lets go of the lock when the process ends, however it ends, so that others can tell.
 *
 * @param held the lock, for as long as the directory is in use
 */
public record ScratchDirectory(Path path, FileLock held) implements AutoCloseable {

    private static final String PREFIX = "tilewright-";
    private static final String LOCK = ".owned";

    /** Makes one in the system's folder for temporary files. */
    public static ScratchDirectory create(String name) throws IOException {
        return create(Path.of(System.getProperty("java.io.tmpdir")), name);
    }

    static ScratchDirectory create(Path parent, String name) throws IOException {
        Path path = Files.createTempDirectory(parent, PREFIX + name + own());
        FileChannel owned =
                FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return new ScratchDirectory(path, owned.lock());
    }

    /** In the names of those that this process has made. */
    private static String own() {
        return "-" + ProcessHandle.current().pid() + "-";
    }

    /** Deletes what processes that are gone have left in the system's folder for temporary files. */
    public static void clearAbandoned() {
        clearAbandoned(Path.of(System.getProperty("java.io.tmpdir")));
    }

    static void clearAbandoned(Path parent) {
        try (Stream<Path> all = Files.list(parent)) {
            // Linux lets go of all locks that a process has on a file when it closes that file once: the own ones are
            // not even opened.
            all.filter(directory -> directory.getFileName().toString().startsWith(PREFIX)
                            && !directory.getFileName().toString().contains(own()))
                    .filter(directory -> Files.isWritable(directory.resolve(LOCK)))
                    .forEach(ScratchDirectory::clearIfAbandoned);
        } catch (IOException | UncheckedIOException unreadable) {
            log("not cleared: " + parent + " (" + unreadable.getMessage() + ")");
        }
    }

    private static void clearIfAbandoned(Path directory) {
        try (FileChannel channel = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.WRITE);
                FileLock taken = channel.tryLock()) {
            if (taken != null) {
                delete(directory);
            }
        } catch (IOException gone) {
            log("not cleared: " + directory + " (" + gone.getMessage() + ")");
        }
    }

    /** Deletes it; what a dying process still holds or just deleted is left alone. */
    @Override
    public void close() {
        delete(path);
        try {
            held.channel().close();
        } catch (IOException unlikely) {
            log("lock not released: " + path + " (" + unlikely.getMessage() + ")");
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> walk = Files.walk(directory)) {
            List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
            for (Path entry : deepestFirst) {
                Files.deleteIfExists(entry);
            }
        } catch (IOException | UncheckedIOException inUse) {
            log("left behind: " + directory + " (" + inUse.getMessage() + ")");
        }
    }

    private static void log(String what) {
        System.getLogger(ScratchDirectory.class.getName()).log(Level.DEBUG, what);
    }
}
