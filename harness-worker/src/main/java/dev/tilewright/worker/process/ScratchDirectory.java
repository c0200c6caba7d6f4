package dev.tilewright.worker.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory that goes away with its contents. */
public record ScratchDirectory(Path path) implements AutoCloseable {

    /** Makes one in the system's place for temporary files. */
    public static ScratchDirectory create(String name) throws IOException {
        return new ScratchDirectory(Files.createTempDirectory("tilewright-" + name + "-"));
    }

    /** Deletes it; what a dying process still holds or just deleted is left alone. */
    @Override
    public void close() {
        try (Stream<Path> walk = Files.walk(path)) {
            List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
            for (Path entry : deepestFirst) {
                Files.deleteIfExists(entry);
            }
        } catch (IOException | UncheckedIOException inUse) {
            System.getLogger(ScratchDirectory.class.getName())
                    .log(System.Logger.Level.DEBUG, "left behind: " + path + " (" + inUse.getMessage() + ")");
        }
    }
}
