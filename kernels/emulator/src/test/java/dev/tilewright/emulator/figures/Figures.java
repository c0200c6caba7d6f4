package dev.tilewright.emulator.figures;

import dev.tilewright.testing.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The two files of a figure. */
public final class Figures {
    /** Tests run in the folder of their module. */
    private static final Path FOLDER = Path.of("../../docs/results/emulator");

    private Figures() {}

    /** What the JSON file holds. */
    private record Document<T>(Provenance provenance, T figures) {}

    /**
     * Writes {@code name.json} and {@code name.md}, as {@link ResultFile} says.
     *
     * @param figures a record
     * @param markdown the lines behind title and provenance
     */
    public static <T> void write(String name, String title, Provenance provenance, T figures, List<String> markdown)
            throws IOException {
        JsonMapper mapper = JsonMapper.builder().build();
        Files.writeString(
                ResultFile.of(FOLDER.resolve(name + ".json")),
                mapper.writerWithDefaultPrettyPrinter().writeValueAsString(new Document<>(provenance, figures)) + "\n");
        List<String> lines = new ArrayList<>(List.of("# " + title, "", provenance.line(), ""));
        lines.addAll(markdown);
        Files.write(ResultFile.of(FOLDER.resolve(name + ".md")), lines);
    }

    /** The figures of a {@code name.json} that was written before. */
    public static JsonNode read(String name) throws IOException {
        return JsonMapper.builder()
                .build()
                .readTree(Files.readString(FOLDER.resolve(name + ".json")))
                .get("figures");
    }

    /** A row of a Markdown table. */
    public static String row(Object... cells) {
        StringBuilder row = new StringBuilder("|");
        for (Object cell : cells) {
            row.append(' ').append(cell).append(" |");
        }
        return row.toString();
    }

    /** Head and rule of a Markdown table. */
    public static List<String> head(Object... cells) {
        return List.of(row(cells), "|" + " --- |".repeat(cells.length));
    }
}
