package dev.tilewright.worker.cli;

import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Suggestion;
import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.cli.board.ListedShape;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.json.JsonFault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Shapes from a file: CSV with a header, or a JSON object on each line. Empty lines and those that begin with {@code #}
 * say nothing. Whatever is wrong is said with its line.
 *
 * @param name of the file in messages
 */
record ShapesFile(String name, List<String> lines) {

    /** As many problems as a job may have. */
    static final int MOST_SHAPES = 256;

    /** A megabyte: thousands of bytes for each shape. */
    static final int MOST_BYTES = 1 << 20;

    static final int LONGEST_NAME = 100;

    private static final List<String> COLUMNS = List.of("m", "n", "k", "batch", "types", "name", "weight");
    private static final String STANDARD_INPUT = "-";

    /** An m that is any number of rows: from the first to the second. */
    private static final Pattern RANGE = Pattern.compile("(\\d{1,20})-(\\d{1,20})");

    /**
     * A shape of the file.
     *
     * @param line in which it stands, from 1
     * @param shape of a range of M that with the least
     * @param mTo the most M of a range; {@code null} of one M
     * @param batch {@code null} where the line says none, as {@code types} is
     */
    record Line(
            int line,
            ProblemShape shape,
            @Nullable Integer mTo,
            @Nullable Integer batch,
            @Nullable OperandTypes types,
            ListedShape listed) {}

    /** Reads a file, or standard input if it is called {@code -}. */
    static ShapesFile read(Path file, InputStream input) {
        boolean piped = file.toString().equals(STANDARD_INPUT);
        String name = piped ? "standard input" : file.toString();
        if (!piped) {
            Syntax.requireReadable("--shapes", file);
        }
        try (InputStream in = piped ? input : Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw wrong(name + ": must have at most " + MOST_BYTES + " bytes");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return new ShapesFile(name, text.lines().toList());
        } catch (CharacterCodingException notText) {
            throw wrong(name + ": must be text in UTF-8");
        } catch (IOException unreadable) {
            throw wrong(name + ": cannot be read: " + FileFault.reason(unreadable));
        }
    }

    /**
     * All shapes, at least one.
     *
     * @param refusal why nothing can compute a shape; the service says so too, but where other lines are wrong it is
     *     not asked
     * @throws CommandFailedException with a line for each fault
     */
    List<Line> shapes(Function<Line, Optional<String>> refusal) {
        List<String> faults = new ArrayList<>();
        List<Line> shapes = new ArrayList<>();
        List<String> header = List.of();
        for (int index = 0; index < lines.size(); index++) {
            String text = index == 0 && lines.get(0).startsWith("\uFEFF")
                    ? lines.get(0).substring(1)
                    : lines.get(index);
            int number = index + 1;
            if (text.isBlank() || text.stripLeading().startsWith("#")) {
                continue;
            }
            try {
                if (text.stripLeading().startsWith("{")) {
                    shapes.add(line(number, object(number, text)));
                } else if (header.isEmpty()) {
                    header = header(number, text);
                } else {
                    shapes.add(line(number, row(number, header, text)));
                }
            } catch (WrongLine wrong) {
                faults.addAll(wrong.faults);
                if (header.isEmpty() && !text.stripLeading().startsWith("{")) {
                    // Nothing below a header that cannot be read means anything.
                    break;
                }
            }
        }
        if (faults.isEmpty() && shapes.isEmpty()) {
            throw wrong(name + ": has no shape; a line is a shape, behind a header such as m,n,k,name,weight");
        }
        if (shapes.size() > MOST_SHAPES) {
            throw wrong(name + ": must have at most " + MOST_SHAPES + " shapes, has " + shapes.size());
        }
        faults.addAll(twice(shapes));
        if (!faults.isEmpty()) {
            shapes.forEach(line -> refusal.apply(line).ifPresent(reason -> faults.add(at(line.line()) + reason)));
            throw new CommandFailedException(
                    ExitCode.USAGE, "--shapes: " + faults.getFirst(), faults.subList(1, faults.size()), null);
        }
        return shapes;
    }

    /** A line says something wrong, or several things. */
    private static final class WrongLine extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient List<String> faults;

        WrongLine(List<String> faults) {
            super(faults.getFirst());
            this.faults = List.copyOf(faults);
        }
    }

    private List<String> twice(List<Line> shapes) {
        Map<List<Object>, Integer> first = new LinkedHashMap<>();
        List<String> faults = new ArrayList<>();
        for (Line line : shapes) {
            Integer before = first.putIfAbsent(
                    List.of(
                            line.shape(),
                            Optional.ofNullable(line.mTo()),
                            Optional.ofNullable(line.batch()),
                            Optional.ofNullable(line.types())),
                    line.line());
            if (before != null) {
                faults.add(at(line.line()) + "is the shape of line " + before
                        + " again; add up their weights in one line");
            }
        }
        return faults;
    }

    private List<String> header(int number, String text) {
        List<String> columns = cells(number, text).stream().map(String::strip).toList();
        List<String> faults = new ArrayList<>();
        for (String column : columns) {
            if (!COLUMNS.contains(column)) {
                faults.add(at(number)
                        + Suggestion.to("unknown column '" + column + "'; known: " + String.join(", ", COLUMNS)));
            }
        }
        if (columns.stream().distinct().count() < columns.size()) {
            faults.add(at(number) + "names a column twice: " + text.strip());
        }
        if (faults.isEmpty() && !columns.containsAll(COLUMNS.subList(0, 3))) {
            faults.add(at(number) + "the header must name m, n and k, got '" + text.strip() + "'");
        }
        if (!faults.isEmpty()) {
            throw new WrongLine(faults);
        }
        return columns;
    }

    private Map<String, String> row(int number, List<String> header, String text) {
        List<String> cells = cells(number, text);
        if (cells.size() != header.size()) {
            String hint = header.contains("types") && cells.size() == header.size() + 2
                    ? "; three types in a cell need quotes, as in \"e4m3,e5m2,bf16\""
                    : "";
            throw fault(number, "has " + cells.size() + " cells below a header of " + header.size() + hint);
        }
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < header.size(); i++) {
            if (!cells.get(i).isBlank()) {
                row.put(header.get(i), cells.get(i).strip());
            }
        }
        return row;
    }

    private Map<String, String> object(int number, String text) {
        JsonNode object;
        try {
            object = Json.mapper().readTree(text);
        } catch (JacksonException malformed) {
            throw fault(number, JsonFault.reason(malformed));
        }
        Map<String, String> row = new LinkedHashMap<>();
        object.properties().forEach(entry -> {
            if (!COLUMNS.contains(entry.getKey())) {
                throw fault(
                        number,
                        Suggestion.to("unknown key '" + entry.getKey() + "'; known: " + String.join(", ", COLUMNS)));
            }
            if (!entry.getValue().isNull()) {
                row.put(
                        entry.getKey(),
                        entry.getValue().asString(entry.getValue().toString()));
            }
        });
        return row;
    }

    private Line line(int number, Map<String, String> row) {
        List<String> faults = new ArrayList<>();
        Matcher range = RANGE.matcher(row.getOrDefault("m", ""));
        boolean ranged = range.matches();
        int m = ranged ? whole("m", range.group(1), faults) : whole(row, "m", faults);
        Integer mTo = ranged ? (Integer) whole("m", range.group(2), faults) : null;
        if (mTo != null && mTo <= m && faults.isEmpty()) {
            faults.add("m: the least M of a range must be below the most, got " + row.get("m"));
        }
        int n = whole(row, "n", faults);
        int k = whole(row, "k", faults);
        Integer batch = row.containsKey("batch") ? whole(row, "batch", faults) : null;
        String called = row.get("name");
        if (called != null && called.length() > LONGEST_NAME) {
            faults.add("name: must have at most " + LONGEST_NAME + " characters, got " + called.length());
        }
        OperandTypes types = row.containsKey("types") ? types(row.get("types"), faults) : null;
        Double weight = row.containsKey("weight") ? weight(row.get("weight"), faults) : null;
        if (!faults.isEmpty()) {
            throw new WrongLine(faults.stream().map(fault -> at(number) + fault).toList());
        }
        return new Line(number, new ProblemShape(m, n, k), mTo, batch, types, new ListedShape(called, weight));
    }

    private static int whole(Map<String, String> row, String column, List<String> faults) {
        String text = row.get(column);
        if (text == null) {
            faults.add(column + " is missing");
            return 1;
        }
        return whole(column, text, faults);
    }

    private static int whole(String column, String text, List<String> faults) {
        try {
            int value = Integer.parseInt(text);
            if (value >= 1) {
                return value;
            }
        } catch (NumberFormatException notOne) {
            // Said below, in our words.
        }
        faults.add(column + " must be a whole number from 1 to 2147483647, got '" + text + "'");
        return 1;
    }

    private static double weight(String text, List<String> faults) {
        try {
            double value = Double.parseDouble(text);
            if (value >= 0 && Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException notOne) {
            // Said below, in our words.
        }
        faults.add("weight must be a number of at least 0, got '" + text + "'");
        return 0;
    }

    private static @Nullable OperandTypes types(String text, List<String> faults) {
        try {
            return OperandOptions.parseTypes(text);
        } catch (IllegalArgumentException unknown) {
            faults.add("types: " + Suggestion.to(String.valueOf(unknown.getMessage())));
            return null;
        }
    }

    /** Cells between commas; one in quotes may have commas, and two quotes in it are one. */
    private List<String> cells(int number, String text) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' && quoted && i + 1 < text.length() && text.charAt(i + 1) == '"') {
                cell.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        if (quoted) {
            throw fault(number, "a quote is not closed");
        }
        return Stream.concat(cells.stream(), Stream.of(cell.toString())).toList();
    }

    private WrongLine fault(int number, String reason) {
        return new WrongLine(List.of(at(number) + reason));
    }

    private String at(int number) {
        return name + ", line " + number + ": ";
    }

    private static CommandFailedException wrong(String reason) {
        return CommandFailedException.usage("--shapes: " + reason);
    }
}
