package dev.tilewright.api.platform.process;

import dev.tilewright.api.platform.ServiceHome;
import dev.tilewright.model.exchange.ServiceFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Holds a home folder for one service; the kernel lets go of it when the process ends, however it ends. */
public final class HomeLock implements AutoCloseable {

    private final FileChannel channel;
    private final FileLock lock;

    private HomeLock(FileChannel channel, FileLock lock) {
        this.channel = channel;
        this.lock = lock;
    }

    /** The lock; empty if another service holds it. */
    public static Optional<HomeLock> tryAcquire(ServiceHome home) throws IOException {
        home.create();
        FileChannel channel = FileChannel.open(home.lockFile(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = tryLock(channel);
        if (lock == null) {
            channel.close();
            return Optional.empty();
        }
        // What a killed service said of itself is no longer so.
        Files.deleteIfExists(home.serviceFile());
        return Optional.of(new HomeLock(channel, lock));
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldInThisProcess) {
            return null;
        }
    }

    /** Address and process of the holder, for people; empty while it is starting. */
    public static Optional<String> holder(ServiceHome home) {
        try {
            ServiceFile service =
                    JsonMapper.shared().readValue(Files.readAllBytes(home.serviceFile()), ServiceFile.class);
            return Optional.of("process " + service.pid() + " at " + service.url());
        } catch (IOException | JacksonException starting) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        lock.release();
        channel.close();
    }
}
