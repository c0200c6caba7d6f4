package dev.tilewright.worker.cli.capture;

import static java.util.function.Predicate.not;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Python package that records, as files. */
public final class PythonModule {

    /** The folder with the package, below the one that it is written to, is found by its import. */
    private static final List<String> PACKAGE = List.of(
            "__init__", "calls", "document", "graphs", "launches", "notice", "pace", "problems", "recorder", "trace");

    private static final String STARTER = "site/sitecustomize.py";
    private static final String IMPORTS = "site/tilewright_imports.py";

    /** The variable with the folders of modules. */
    public static final String PATH = "PYTHONPATH";

    private PythonModule() {}

    /** Its value with folders in front of those that it has; they are absolute, for the program may go elsewhere. */
    public static String path(Map<String, String> environment, Path... folders) {
        String before = environment.getOrDefault(PATH, "");
        return Stream.concat(
                        Stream.of(folders).map(Path::toAbsolutePath).map(Path::toString),
                        Stream.of(before).filter(not(String::isEmpty)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Writes the package into a folder, which is made if there is none. */
    static void write(Path folder) throws IOException {
        for (String name : PACKAGE) {
            write(folder, "tilewright_capture/" + name + ".py");
        }
        // The package is whole without the starter, which may run without the package.
        copy(IMPORTS, folder.resolve("tilewright_capture/imports.py"));
    }

    /** Writes what starts a recording, a pack or turns in every Python that has the returned folder on its path. */
    public static Path writeStarter(Path folder) throws IOException {
        write(folder, IMPORTS);
        write(folder, "site/tilewright_turns.py");
        return write(folder, STARTER).getParent();
    }

    private static Path write(Path folder, String name) throws IOException {
        return copy(name, folder.resolve(name));
    }

    private static Path copy(String name, Path file) throws IOException {
        Files.createDirectories(file.getParent());
        try (InputStream text = Objects.requireNonNull(PythonModule.class.getResourceAsStream(name), name)) {
            Files.write(file, text.readAllBytes());
        }
        return file;
    }
}
