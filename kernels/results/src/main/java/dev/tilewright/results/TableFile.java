package dev.tilewright.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A table of comma-separated values as a document, and back: {@code head} has the lines that begin with {@code #},
 * {@code names} those of the columns, and {@code cells} an array for each column, by its number. A cell is a number
 * where a number is written as the cell is, else a text.
 */
public final class TableFile {

    private static final String HEAD = "head";
    private static final String NAMES = "names";
    private static final String CELLS = "cells";

    /** As {@link Long#toString} writes them, of at most 18 digits. */
    private static final Pattern WHOLE = Pattern.compile("0|-?[1-9]\\d{0,17}");

    private static final Pattern REAL = Pattern.compile("-?\\d+\\.\\d+(E-?\\d+)?");

    private TableFile() {}

    /** The lines of a table, from a file of columns or of text. */
    public static List<String> lines(Path file) throws IOException {
        if (!file.toString().endsWith(ColumnFile.ENDING)) {
            return Files.readAllLines(file);
        }
        JsonNode document = ColumnFile.read(file);
        if (!isTable(document)) {
            throw new IllegalArgumentException(file + ": no table, but a document");
        }
        return lines(document);
    }

    /** Whether a document is a table. */
    public static boolean isTable(JsonNode document) {
        return List.of(HEAD, NAMES, CELLS).equals(List.copyOf(document.propertyNames()));
    }

    /**
     * The document of a table.
     *
     * @throws IllegalArgumentException naming the line, if a cell is quoted or a row has too few or too many cells
     */
    public static JsonNode document(List<String> lines) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode head = document.putArray(HEAD);
        ArrayNode names = document.putArray(NAMES);
        ObjectNode columns = document.putObject(CELLS);
        int line = 0;
        while (line < lines.size() && lines.get(line).startsWith("#")) {
            head.add(lines.get(line++));
        }
        if (line == lines.size()) {
            throw new IllegalArgumentException("a table has a line with the names of its columns");
        }
        List<ArrayNode> arrays = new ArrayList<>();
        for (String name : cells(lines.get(line), line)) {
            names.add(name);
            arrays.add(columns.putArray(String.valueOf(arrays.size())));
        }
        while (++line < lines.size()) {
            List<String> cells = cells(lines.get(line), line);
            if (cells.size() != names.size()) {
                throw new IllegalArgumentException(
                        "line " + (line + 1) + ": a row has " + names.size() + " cells, got " + cells.size());
            }
            for (int i = 0; i < cells.size(); i++) {
                arrays.get(i).add(cell(cells.get(i)));
            }
        }
        return document;
    }

    private static List<String> cells(String line, int index) {
        if (line.indexOf('"') >= 0) {
            throw new IllegalArgumentException("line " + (index + 1) + ": quoted cells are not known here");
        }
        return List.of(line.split(",", -1));
    }

    private static JsonNode cell(String text) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (WHOLE.matcher(text).matches()) {
            return nodes.numberNode(Long.parseLong(text));
        }
        if (REAL.matcher(text).matches() && text.equals(Double.toString(Double.parseDouble(text)))) {
            return nodes.numberNode(Double.parseDouble(text));
        }
        return nodes.stringNode(text);
    }

    /** The lines of a table's document. */
    public static List<String> lines(JsonNode document) {
        List<String> lines = new ArrayList<>();
        document.path(HEAD).forEach(line -> lines.add(line.stringValue()));
        lines.add(document.path(NAMES).valueStream().map(JsonNode::stringValue).collect(Collectors.joining(",")));
        List<JsonNode> arrays = document.path(CELLS).valueStream().toList();
        int rows = arrays.isEmpty() ? 0 : arrays.getFirst().size();
        for (int i = 0; i < rows; i++) {
            int row = i;
            lines.add(String.join(
                    ",",
                    arrays.stream()
                            .map(array -> Objects.requireNonNull(array.get(row)).asString())
                            .toList()));
        }
        return lines;
    }
}
