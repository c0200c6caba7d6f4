package dev.tilewright.api.platform.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/** Copies a folder with all that is in it, so that there is a whole copy or none. */
final class FolderCopy {

    private FolderCopy() {}

    /**
     * Copies with permissions.
     *
     * @throws NoRoomException if the disk has less room than the folder takes; nothing is copied then
     */
    static void copy(Path from, Path to) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(from)) {
            all = walk.toList();
        } catch (UncheckedIOException unreadable) {
            throw unreadable.getCause();
        }
        requireRoom(all, from, to);
        Path part = to.resolveSibling(to.getFileName() + ".part");
        FileSystemUtils.deleteRecursively(part);
        try {
            for (Path each : all) {
                Files.copy(each, part.resolve(from.relativize(each)), StandardCopyOption.COPY_ATTRIBUTES);
            }
            Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            FileSystemUtils.deleteRecursively(part);
        }
    }

    private static void requireRoom(List<Path> all, Path from, Path to) throws IOException {
        long bytes = 0;
        for (Path each : all) {
            bytes += Files.isRegularFile(each) ? Files.size(each) : 0;
        }
        FileStore disk = Files.getFileStore(to.toAbsolutePath().getParent());
        if (bytes > disk.getUsableSpace()) {
            throw new NoRoomException(from + " takes " + (bytes >> 20) + " MiB, and the disk has "
                    + (disk.getUsableSpace() >> 20) + " MiB");
        }
    }
}
