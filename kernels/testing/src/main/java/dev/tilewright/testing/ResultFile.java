package dev.tilewright.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A document of {@code docs/results} that a test writes. */
public final class ResultFile {

    private static final Path SCRATCH = Path.of("target", "results");

    private ResultFile() {}

    /**
     * The file to write: the document itself with {@code tilewright test --figures}, otherwise a copy of it in the
     * module's {@code target/results}, so that no other run changes a committed figure.
     */
    public static Path of(Path document) {
        try {
            if (Boolean.getBoolean("tilewright.figures")) {
                Files.createDirectories(document.toAbsolutePath().getParent());
                return document;
            }
            Path copy = SCRATCH.resolve(document.getFileName());
            Files.createDirectories(SCRATCH);
            if (Files.isRegularFile(document) && !Files.exists(copy)) {
                Files.copy(document, copy);
            }
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
