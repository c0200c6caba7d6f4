package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.results.ColumnFile;
import dev.tilewright.worker.link.probe.DeviceProbe;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code results table} writes each stored table again from the evidence beside it, to the byte. */
class StoredTablesTest {

    private static final Path RESULTS = Path.of("..", "..", "docs", "results");

    @TempDir
    private Path folder;

    @Test
    void allTablesComeFromTheirEvidence() throws IOException {
        for (Path document : documents()) {
            isWrittenAgain(document);
        }
    }

    @Test
    void thePageOfAGateComesFromItsBlocks() throws IOException {
        Path gate = RESULTS.resolve("h200/gate");
        run("qualify", "--to", folder, "--from", gate.resolve("blocks.columns"));
        assertThat(folder.resolve("qualification.md")).hasSameTextualContentAs(gate.resolve("blocks.md"));
    }

    /** Result documents of {@code tune} with a table beside them. */
    private static List<Path> documents() throws IOException {
        try (Stream<Path> files = Files.walk(RESULTS)) {
            List<Path> tables = files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
            return new ArrayList<>(tables.stream()
                    .filter(StoredTablesTest::isOfTune)
                    .map(StoredTablesTest::columns)
                    .filter(Files::exists)
                    .toList());
        }
    }

    /** What scripts and other verbs write is no table of {@code tune}: format.md lists who writes it. */
    private static boolean isOfTune(Path table) {
        try (Stream<String> lines = Files.lines(table)) {
            return lines.anyMatch(line -> line.startsWith("* job "));
        } catch (IOException unreadable) {
            throw new IllegalStateException("cannot read " + table, unreadable);
        }
    }

    private static Path columns(Path table) {
        return table.resolveSibling(table.getFileName().toString().replace(".md", ColumnFile.ENDING));
    }

    private void isWrittenAgain(Path document) throws IOException {
        String name = document.getFileName().toString();
        Path copy =
                Files.copy(document, Files.createTempDirectory(folder, "table").resolve(name));
        Path stored = document.resolveSibling(name.replace(ColumnFile.ENDING, ".md"));
        String commit = Files.readAllLines(stored).stream()
                .filter(line -> line.startsWith("* commit "))
                .map(line -> line.substring("* commit ".length()))
                .findFirst()
                .orElse("");
        if (commit.isEmpty()) {
            run("results", "table", copy);
        } else {
            run("results", "table", "--commit", commit, copy);
        }
        assertThat(copy.resolveSibling(stored.getFileName())).hasSameTextualContentAs(stored);
    }

    private static void run(Object... arguments) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        int exit = RootCommand.commandLine(
                        Map.of(),
                        new ResultsCommand(new Printer(nowhere)),
                        new GateQualifyCommand(Map.of(), DeviceProbe.NoDriver::new, nowhere, nowhere))
                .execute(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
        assertThat(exit).isZero();
    }
}
