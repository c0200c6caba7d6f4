package dev.tilewright.ptx.parse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** PTX files that lie beside the tests. */
final class Texts {
    private static final Path RESOURCES = Path.of("src/test/resources/dev/tilewright/ptx/parse");

    /**
     * Our laboratory kernels; compiler output of our own sources; texts that name every form; texts in the style of
     * other producers.
     */
    static final List<String> FOLDERS = List.of("proven", "nvcc", "hand", "styles");

    private Texts() {}

    /** The files of a folder. */
    static List<Path> files(String folder) {
        try (Stream<Path> all = Files.list(RESOURCES.resolve(folder))) {
            return all.filter(file -> file.toString().endsWith(".ptx")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
