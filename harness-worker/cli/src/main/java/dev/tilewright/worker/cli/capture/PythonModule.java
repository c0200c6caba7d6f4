package dev.tilewright.worker.cli.capture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The Python package that records, as files. */
final class PythonModule {

    /** The folder with the package, below the one that it is written to, is found by its import. */
    private static final List<String> PACKAGE =
            List.of("__init__", "calls", "document", "graphs", "notice", "pace", "problems", "recorder", "trace");

    private static final String STARTER = "site/sitecustomize.py";

    private PythonModule() {}

    /** Writes the package into a folder, which is made if there is none. */
    static void write(Path folder) throws IOException {
        for (String name : PACKAGE) {
            write(folder, "tilewright_capture/" + name + ".py");
        }
    }

    /** Writes what starts a recording in every Python that has the returned folder on its path. */
    static Path writeStarter(Path folder) throws IOException {
        return write(folder, STARTER).getParent();
    }

    private static Path write(Path folder, String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        try (InputStream text = Objects.requireNonNull(PythonModule.class.getResourceAsStream(name), name)) {
            Files.write(file, text.readAllBytes());
        }
        return file;
    }
}
