package dev.tilewright.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** JSON, one document a line, as a document and back: its one name {@code lines} has an array of all of them. */
public final class LinesFile {

    /** How the names of such files end. */
    public static final String ENDING = ".jsonl";

    private static final String LINES = "lines";

    private LinesFile() {}

    /**
     * The lines of a file of columns, or all lines of one of text.
     *
     * @throws IllegalArgumentException if a file of columns has something else
     */
    public static List<String> lines(Path file) throws IOException {
        if (!file.toString().endsWith(ColumnFile.ENDING)) {
            return Files.readAllLines(file);
        }
        JsonNode document = ColumnFile.read(file);
        if (!isLines(document)) {
            throw new IllegalArgumentException(file + ": has no lines of JSON, but one document");
        }
        return lines(document);
    }

    /** Whether a document is of such lines. */
    public static boolean isLines(JsonNode document) {
        return List.of(LINES).equals(List.copyOf(document.propertyNames()))
                && document.path(LINES).isArray();
    }

    /**
     * The document of lines.
     *
     * @param mapper reads each line
     */
    public static JsonNode document(List<String> lines, JsonMapper mapper) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        lines.forEach(line -> array.add(mapper.readTree(line)));
        return JsonNodeFactory.instance.objectNode().set(LINES, array);
    }

    /** The lines of such a document, without white space between their tokens. */
    public static List<String> lines(JsonNode document) {
        return document.path(LINES).valueStream().map(JsonNode::toString).toList();
    }
}
