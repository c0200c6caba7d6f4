package dev.tilewright.worker.agent.compile;

import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps a cubin cache within its size: entries whose last use is longest ago go first. Several processes may share the
 * folder; one of them cleans it at a time, and a cubin that goes while another process wants it is made anew there.
 */
final class CacheLimit {

    /** Of the environment: MiB. */
    static final String VARIABLE = "TILEWRIGHT_CUBIN_CACHE_MIB";

    static final int USUAL_MIB = 2048;

    private static final Logger LOG = System.getLogger(CacheLimit.class.getName());
    private static final int LEAST_MIB = 16;
    private static final int MOST_MIB = 1 << 20;

    private final Path directory;
    private final long mostBytes;

    /** Written by this process since it last cleaned; the first entry of a process always cleans. */
    private final AtomicLong written;

    CacheLimit(Path directory, long mostBytes) {
        this.directory = directory;
        this.mostBytes = mostBytes;
        this.written = new AtomicLong(mostBytes);
    }

    /** @throws CommandFailedException if the variable is set to no size */
    static long bytes(Map<String, String> environment) {
        String text = environment.getOrDefault(VARIABLE, "").strip();
        int mebibytes = text.isEmpty() ? USUAL_MIB : text.matches("[0-9]{1,7}") ? Integer.parseInt(text) : -1;
        if (mebibytes < LEAST_MIB || mebibytes > MOST_MIB) {
            throw CommandFailedException.usage(VARIABLE + ": must be a whole number of MiB from " + LEAST_MIB + " to "
                    + MOST_MIB + ", got '" + text + "'");
        }
        return (long) mebibytes << 20;
    }

    /** So many bytes came in; every sixteenth of the limit the folder is cleaned. */
    void added(long bytes) {
        if (written.addAndGet(bytes) < mostBytes / 16) {
            return;
        }
        written.set(0);
        try (FileChannel file = FileChannel.open(
                        directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.tryLock()) {
            if (lock != null) {
                clean();
            }
        } catch (OverlappingFileLockException cleanedByAnother) {
            LOG.log(Level.DEBUG, "another thread cleans the cubins");
        } catch (IOException unusable) {
            LOG.log(Level.WARNING, "the cubins in " + directory + " cannot be cleaned: " + FileFault.reason(unusable));
        }
    }

    /** Files of one key: cubin, metadata, and perhaps what a killed process left of either. */
    private static final class Entry {
        private final List<Path> files = new ArrayList<>();
        private Instant used = Instant.EPOCH;
        private long bytes;

        void add(Path file, BasicFileAttributes known) {
            files.add(file);
            bytes += known.size();
            Instant at = known.lastModifiedTime().toInstant();
            used = at.isAfter(used) ? at : used;
        }
    }

    private void clean() throws IOException {
        Map<String, Entry> entries = new HashMap<>();
        Files.walkFileTree(directory, Set.of(), 2, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes known) {
                if (known.isRegularFile() && !file.getParent().equals(directory)) {
                    String name = file.getFileName().toString();
                    entries.computeIfAbsent(name.substring(0, endOfKey(name)), _ -> new Entry())
                            .add(file, known);
                }
                return FileVisitResult.CONTINUE;
            }

            /** Another process has just renamed or deleted it. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                return FileVisitResult.CONTINUE;
            }
        });
        long total = entries.values().stream().mapToLong(entry -> entry.bytes).sum();
        if (total <= mostBytes) {
            return;
        }
        List<Entry> oldestFirst = entries.values().stream()
                .sorted(Comparator.comparing((Entry entry) -> entry.used))
                .toList();
        for (Entry entry : oldestFirst) {
            // A little more than needed, so that the next entry does not clean again.
            if (total <= mostBytes - mostBytes / 8) {
                break;
            }
            // Metadata first: a cubin without it is no entry.
            for (Path file : entry.files.stream()
                    .sorted(Comparator.comparing(CacheLimit::isCubin))
                    .toList()) {
                Files.deleteIfExists(file);
            }
            total -= entry.bytes;
        }
    }

    private static int endOfKey(String name) {
        int point = name.indexOf('.');
        return point < 0 ? name.length() : point;
    }

    private static boolean isCubin(Path file) {
        return file.toString().endsWith(".cubin");
    }
}
