package dev.tilewright.worker.link.process;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The turn of a process at a GPU of this machine. A worker takes one for each piece of work, and {@code tilewright gate
 * program} one for all of its blocks, so that neither measures the other. A turn is a locked file in the system's
 * folder for temporary files, whoever owns the processes: the kernel lets go of the lock when a process ends, however
 * it ends. Linux also lets go of it when the process closes that file once more, so a process has one thread that takes
 * turns at a GPU.
 *
 * <p>Whoever waits holds a second lock, which everybody needs who wants to be next. Otherwise a worker, which is back
 * within microseconds of its last turn, would let nobody in between.
 */
public final class GpuTurn implements AutoCloseable {

    /** Told to somebody who waits for longer than that. */
    private static final Duration LONG = Duration.ofSeconds(1);

    private static final Duration LOOKS_EVERY = Duration.ofMillis(10);
    private static final String FOLDER = "tilewright-gpus";
    /** As of the folder for temporary files: a user deletes his own files alone. */
    private static final int SHARED = 01777;

    private static final Pattern UUID = Pattern.compile("GPU-[0-9a-f-]{36}");

    private final @Nullable FileChannel held;
    private final @Nullable Path next;
    private final @Nullable String unlocked;

    private GpuTurn(@Nullable FileChannel held, @Nullable Path next, @Nullable String unlocked) {
        this.held = held;
        this.next = next;
        this.unlocked = unlocked;
    }

    /**
     * Waits for a turn. Where the locks cannot be had, as on a full disk, the turn is taken without them, and
     * {@link #unlocked} says why.
     *
     * @param uuid of the GPU, as NVML writes it; of anything else there are no turns
     * @param waits is run once if it takes long
     */
    public static GpuTurn take(String uuid, Runnable waits) throws InterruptedException {
        return take(Path.of(System.getProperty("java.io.tmpdir")), uuid, waits);
    }

    static GpuTurn take(Path temporary, String uuid, Runnable waits) throws InterruptedException {
        if (!UUID.matcher(uuid).matches()) {
            return new GpuTurn(null, null, null);
        }
        Path folder = temporary.resolve(FOLDER);
        Path next = folder.resolve(uuid + ".next");
        try {
            create(folder);
            Patience patience = new Patience(waits);
            try (FileChannel _ = locked(next, patience)) {
                return new GpuTurn(locked(folder.resolve(uuid + ".turn"), patience), next, null);
            }
        } catch (IOException impossible) {
            return new GpuTurn(null, null, "others may measure beside this process on " + uuid + ": " + impossible);
        }
    }

    private static void create(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.createDirectory(folder);
                Files.setAttribute(folder, "unix:mode", SHARED);
            } catch (FileAlreadyExistsException meanwhile) {
                // By another process.
            }
        }
    }

    private static FileChannel locked(Path file, Patience patience) throws IOException, InterruptedException {
        FileChannel channel = open(file);
        try {
            while (!isLocked(channel)) {
                patience.sleep();
            }
            // Folders for temporary files lose what nobody writes to for days.
            channel.write(ByteBuffer.allocate(1), 0);
            return channel;
        } catch (IOException | InterruptedException without) {
            channel.close();
            throw without;
        }
    }

    /** A file that one user has made may be written to by all, and a link is not followed. */
    private static FileChannel open(Path file) throws IOException {
        try {
            Files.createFile(file);
            Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setPermissions(PosixFilePermissions.fromString("rw-rw-rw-"));
        } catch (FileAlreadyExistsException known) {
            // It has been made so.
        }
        return FileChannel.open(file, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException byAnotherThread) {
            return false;
        }
    }

    /** Whether another process waits for its turn. */
    public boolean isWanted() {
        if (next == null) {
            return false;
        }
        try (FileChannel waiting = open(next)) {
            return !isLocked(waiting);
        } catch (IOException unknown) {
            return false;
        }
    }

    /** Why nobody is kept from measuring beside this process; empty where all others are, and of what is no GPU. */
    public Optional<String> unlocked() {
        return Optional.ofNullable(unlocked);
    }

    @Override
    public void close() {
        if (held != null) {
            try {
                held.close();
            } catch (IOException unlikely) {
                System.getLogger(GpuTurn.class.getName()).log(Level.WARNING, "a GPU is not given back", unlikely);
            }
        }
    }

    /** Sleeps, and tells once that it takes long. */
    private static final class Patience {

        private final Runnable waits;
        private final long began = System.nanoTime();
        private boolean told;

        Patience(Runnable waits) {
            this.waits = waits;
        }

        void sleep() throws InterruptedException {
            if (!told && System.nanoTime() - began > LONG.toNanos()) {
                told = true;
                waits.run();
            }
            Thread.sleep(LOOKS_EVERY);
        }
    }
}
