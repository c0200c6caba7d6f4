package dev.tilewright.system.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A filesystem in memory, of which a large file takes what is left. */
final class SmallDisk implements AutoCloseable {

    private static final int MIB = 512;
    private static final int CHUNK = 64 << 10;

    /** So much is left: nobody who needs a new page of a table finds one. */
    private static final long LEFT = 4 << 10;

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Mounts one over a folder; empty where this user may not, which needs root as a rule. */
    static Optional<SmallDisk> over(Path folder) throws InterruptedException {
        return run("mount", "-t", "tmpfs", "-o", "mode=0755,size=" + MIB + "m", "tmpfs", folder.toString())
                ? Optional.of(new SmallDisk(folder))
                : Optional.empty();
    }

    private Path balloon() {
        return folder.resolve("balloon");
    }

    /** Takes every block but one. */
    void fill() throws IOException {
        byte[] zeros = new byte[CHUNK];
        try (OutputStream out = Files.newOutputStream(balloon())) {
            for (int length = CHUNK; length >= LEFT; ) {
                try {
                    out.write(zeros, 0, length);
                } catch (IOException full) {
                    length /= 2;
                }
            }
        }
    }

    void free() throws IOException {
        Files.deleteIfExists(balloon());
    }

    @Override
    public void close() throws IOException {
        try {
            if (!run("umount", "--lazy", folder.toString())) {
                throw new IOException("cannot unmount " + folder);
            }
            Files.delete(folder);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }
}
