package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.ResultDocument;
import dev.tilewright.results.ColumnFile;
import dev.tilewright.results.LinesFile;
import dev.tilewright.results.TableFile;
import dev.tilewright.worker.cli.board.MarkdownReport;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.json.JsonFault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code results}: result documents and tables in a tenth of their bytes, and back. */
@Command(
        name = "results",
        description =
                "Keep result documents (.json, .jsonl) and tables (.csv) as columns, read them back, and write their"
                        + " tables as Markdown.")
public final class ResultsCommand {

    private static final String TABLE = ".csv";
    private static final String COMMIT_LINE = "* commit ";

    /** Reads what is written, to the last digit, and no name twice. */
    private static final JsonMapper EXACT = JsonMapper.builder()
            .enable(
                    DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS,
                    DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build();

    private final Printer out;

    /** @param out what was written */
    public ResultsCommand(Printer out) {
        this.out = out;
    }

    @Command(
            name = "pack",
            description = "Write each .json, .jsonl or .csv file as columns, beside it, and read it back to compare.")
    int pack(
            @Parameters(
                            paramLabel = "FILE",
                            arity = "1..*",
                            description = "Files of JSON, or of comma-separated values.")
                    List<Path> files,
            @Option(
                            names = "--replace",
                            description = "Delete each file once its columns are read back and are the same.")
                    boolean replace)
            throws IOException {
        for (Path file : files) {
            Path packed = named(file, ColumnFile.ENDING);
            of(file, () -> {
                byte[] bytes = Files.readAllBytes(file);
                byte[] columns = ColumnFile.bytes(parsed(file, bytes, EXACT));
                if (!Arrays.equals(canonical(file, bytes), text(ColumnFile.document(columns)))) {
                    throw new IllegalArgumentException("would not come back as it is");
                }
                writeNew(packed, columns);
                if (replace) {
                    Files.delete(file);
                }
                out.copy(packed + ": " + columns.length + " bytes, were " + bytes.length);
            });
        }
        return ExitCode.OK.code();
    }

    @Command(name = "unpack", description = "Write the document or the table of each file of columns.")
    int unpack(
            @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files of columns.") List<Path> files,
            @Option(names = "--to", paramLabel = "DIR", description = "Folder to write to (default: beside each file).")
                    @Nullable
                    Path folder)
            throws IOException {
        for (Path file : files) {
            of(file, () -> {
                requireColumns(file);
                JsonNode document = ColumnFile.read(file);
                Path target = named(file, ending(document));
                if (folder != null) {
                    Files.createDirectories(folder);
                    target = folder.resolve(target.getFileName());
                }
                writeNew(target, text(document));
                out.copy(target.toString());
            });
        }
        return ExitCode.OK.code();
    }

    @Command(
            name = "table",
            description = "Write the Markdown that tune --markdown wrote of each result document, beside it. Races of"
                    + " --regret are in no document: those of a present file are kept.")
    int table(
            @Parameters(paramLabel = "FILE", arity = "1..*", description = "Result documents, as columns or as JSON.")
                    List<Path> files,
            @Option(
                            names = "--commit",
                            paramLabel = "HASH",
                            description =
                                    "Commit that the results were measured with; else what the present table says.")
                    @Nullable
                    String commit)
            throws IOException {
        for (Path file : files) {
            of(file, () -> {
                JsonNode document = ColumnFile.read(file);
                if (!document.path("studies").isArray()) {
                    throw new IllegalArgumentException("no result document of tune: it has no studies");
                }
                ResultDocument result = Json.mapper().treeToValue(document, ResultDocument.class);
                Path markdown = named(file, ".md");
                String known = commit == null ? commitOf(markdown).orElse(null) : commit;
                List<String> lines = new ArrayList<>(new MarkdownReport(known).lines(result));
                lines.addAll(MarkdownReport.racesOf(Files.exists(markdown) ? Files.readAllLines(markdown) : List.of()));
                Files.writeString(markdown, String.join("\n", lines) + "\n");
                out.copy(markdown.toString());
            });
        }
        return ExitCode.OK.code();
    }

    /** The commit that a table names. */
    private static Optional<String> commitOf(Path markdown) throws IOException {
        if (!Files.exists(markdown)) {
            return Optional.empty();
        }
        return Files.readAllLines(markdown).stream()
                .filter(line -> line.startsWith(COMMIT_LINE))
                .map(line -> line.substring(COMMIT_LINE.length()))
                .findFirst();
    }

    private static JsonNode parsed(Path file, byte[] bytes, JsonMapper mapper) {
        if (isTable(file)) {
            return TableFile.document(lines(bytes));
        }
        return isLines(file) ? LinesFile.document(lines(bytes), mapper) : mapper.readTree(bytes);
    }

    private static List<String> lines(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    }

    /** A file as unpacking restores it: JSON without white space between tokens, a table unchanged. */
    private static byte[] canonical(Path file, byte[] bytes) {
        if (isTable(file)) {
            return bytes;
        }
        JsonNode document = parsed(file, bytes, Json.mapper());
        return isLines(file) ? text(document) : json(document);
    }

    private static void requireColumns(Path file) {
        if (!file.toString().endsWith(ColumnFile.ENDING)) {
            throw new IllegalArgumentException("no file of columns: its name does not end with " + ColumnFile.ENDING);
        }
    }

    /** Nothing that is there is lost: it may be of another document of the same name. */
    private static void writeNew(Path target, byte[] bytes) throws IOException {
        if (Files.exists(target)) {
            throw new IllegalArgumentException(target + " is there already");
        }
        Json.writeAtomically(target, bytes);
    }

    private static String ending(JsonNode document) {
        return TableFile.isTable(document) ? TABLE : LinesFile.isLines(document) ? LinesFile.ENDING : ".json";
    }

    private static byte[] text(JsonNode document) {
        return TableFile.isTable(document)
                ? text(TableFile.lines(document))
                : LinesFile.isLines(document) ? text(LinesFile.lines(document)) : json(document);
    }

    private static byte[] text(List<String> lines) {
        return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] json(JsonNode document) {
        return (document + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static boolean isTable(Path file) {
        return file.toString().endsWith(TABLE);
    }

    private static boolean isLines(Path file) {
        return file.toString().endsWith(LinesFile.ENDING);
    }

    private static Path named(Path file, String ending) {
        String name = file.getFileName().toString();
        int point = name.lastIndexOf('.');
        return file.resolveSibling((point < 0 ? name : name.substring(0, point)) + ending);
    }

    /** Something that is done with a file. */
    private interface Task {
        void run() throws IOException;
    }

    private static void of(Path file, Task task) throws IOException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw CommandFailedException.usage("cannot read " + file);
        }
        try {
            task.run();
        } catch (JacksonException malformed) {
            throw CommandFailedException.usage(file + ": " + JsonFault.reason(malformed));
        } catch (IllegalArgumentException wrong) {
            throw CommandFailedException.of(file, wrong);
        }
    }
}
