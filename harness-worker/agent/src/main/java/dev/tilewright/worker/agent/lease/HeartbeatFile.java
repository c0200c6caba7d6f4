package dev.tilewright.worker.agent.lease;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;

/**
 * A file that is as old as the last heartbeat that the API answered: a worker listens at no port, and whoever looks
 * after its process looks at this.
 */
public final class HeartbeatFile {

    private static final Logger LOG = System.getLogger(HeartbeatFile.class.getName());

    private final Path file;
    private final Clock clock;
    private boolean failed;

    /** @param file of which the folder may be missing */
    public HeartbeatFile(Path file, Clock clock) {
        this.file = file;
        this.clock = clock;
    }

    /** A worker goes on without it, as it is not why it is there; the log says so once. */
    void touch() {
        try {
            if (!Files.exists(file)) {
                Files.createDirectories(file.toAbsolutePath().getParent());
                Files.createFile(file);
            }
            Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
            failed = false;
        } catch (IOException unwritable) {
            if (!failed) {
                LOG.log(Level.WARNING, "a health check will not see the heartbeats of this worker: " + unwritable);
            }
            failed = true;
        }
    }
}
