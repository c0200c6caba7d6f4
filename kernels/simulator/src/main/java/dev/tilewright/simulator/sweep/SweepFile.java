package dev.tilewright.simulator.sweep;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.results.ColumnFile;
import dev.tilewright.results.TableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A sweep as text: a header of lines that begin with {@code #}, then comma-separated rows, one for each config.
 *
 * <pre>
 *   # tilewright sweep 1
 *   # family sm90-gemm
 *   # problem 4096x4096x4096 bf16
 *   # piece NVIDIA H200, driver 580.159.04, ..., commit dc6ffa689c5c, study ..., anchor ...
 *   # fixed gridSize=0 waitDepth=1
 *   clusterM,clusterN,...,piece,outcome,ns,low,high,mhz,ratio,registers
 *   1,2,...,1,completed,12284.2,12242.3,12311.2,1980,,224
 * </pre>
 *
 * <p>Parameters that have one value in all rows stand in {@code fixed}; a cell of a parameter that a config does not
 * have is empty, as is every number that was not measured.
 */
public final class SweepFile {

    private static final String TEXT = ".csv";
    private static final String MAGIC = "# tilewright sweep 1";
    private static final String FAMILY = "# family ";
    private static final String PROBLEM = "# problem ";
    private static final String PIECE = "# piece ";
    private static final String FIXED = "# fixed ";
    private static final List<String> RESULTS =
            List.of("piece", "outcome", "ns", "low", "high", "mhz", "ratio", "registers");

    private SweepFile() {}

    /** A shape's file in a folder of sweeps: of columns if there is such a one, else of text. */
    public static Path of(Path folder, ProblemShape shape, DataType dtype) {
        String name = shape + (dtype == DataType.BF16 ? "" : "-" + dtype);
        Path columns = folder.resolve(name + ColumnFile.ENDING);
        return Files.exists(columns) ? columns : folder.resolve(name + TEXT);
    }

    /** All sweeps of a folder, in the order of their names. */
    public static List<StoredSweep> readAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<StoredSweep> sweeps = new ArrayList<>();
            for (Path file : files.filter(SweepFile::isSweep).sorted().toList()) {
                sweeps.add(read(file));
            }
            return sweeps;
        }
    }

    /** Of a sweep that is there as text too, the columns are the ones that grow. */
    private static boolean isSweep(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(ColumnFile.ENDING)
                || name.endsWith(TEXT)
                        && !Files.exists(file.resolveSibling(
                                name.substring(0, name.length() - TEXT.length()) + ColumnFile.ENDING));
    }

    /**
     * Reads a file, of text or of columns.
     *
     * @throws IllegalArgumentException naming file, line and what is wrong with it
     */
    public static StoredSweep read(Path file) throws IOException {
        List<String> lines = TableFile.lines(file);
        int line = 0;
        try {
            Reading reading = new Reading();
            for (; line < lines.size(); line++) {
                reading.take(lines.get(line), line == 0);
            }
            return reading.sweep();
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(file + ", line " + (line + 1) + ": " + wrong.getMessage(), wrong);
        }
    }

    /** The state of a reading. */
    private static final class Reading {
        private @Nullable String family;
        private @Nullable ProblemShape shape;
        private @Nullable DataType dtype;
        private final List<String> pieces = new ArrayList<>();
        private Map<String, ParameterValue> fixed = Map.of();
        private List<String> columns = List.of();
        private final List<SweepRow> rows = new ArrayList<>();

        private void take(String line, boolean first) {
            if (first) {
                require(line.equals(MAGIC), "the first line must be '" + MAGIC + "', got '" + line + "'");
            } else if (line.startsWith(FAMILY)) {
                family = line.substring(FAMILY.length());
            } else if (line.startsWith(PROBLEM)) {
                String[] words = line.substring(PROBLEM.length()).split(" ");
                require(words.length == 2, "a problem is a shape and a type, got '" + line + "'");
                shape = ProblemShape.parse(words[0]);
                dtype = DataType.parse(words[1]);
            } else if (line.startsWith(PIECE)) {
                pieces.add(line.substring(PIECE.length()));
            } else if (line.startsWith(FIXED)) {
                fixed = Config.pairs(line.substring(FIXED.length()));
            } else if (line.startsWith("#")) {
                throw new IllegalArgumentException("unknown header '" + line + "'");
            } else if (columns.isEmpty()) {
                columns = List.of(line.split(","));
                require(
                        columns.size() >= RESULTS.size()
                                && columns.subList(columns.size() - RESULTS.size(), columns.size())
                                        .equals(RESULTS),
                        "the last columns must be " + RESULTS + ", got " + columns);
            } else {
                rows.add(row(line));
            }
        }

        private SweepRow row(String line) {
            String[] cells = line.split(",", -1);
            require(
                    cells.length == columns.size(),
                    "a row has " + columns.size() + " cells, got " + cells.length + ": '" + line + "'");
            SortedMap<String, ParameterValue> values = new TreeMap<>(fixed);
            int parameters = columns.size() - RESULTS.size();
            for (int i = 0; i < parameters; i++) {
                if (!cells[i].isEmpty()) {
                    values.put(columns.get(i), ParameterValue.parse(cells[i]));
                }
            }
            Double medianNs = number(cells[parameters + 2]);
            SweepRow.Time time = medianNs == null
                    ? null
                    : new SweepRow.Time(
                            medianNs,
                            number(cells[parameters + 3]),
                            number(cells[parameters + 4]),
                            number(cells[parameters + 5]),
                            number(cells[parameters + 6]));
            String registers = cells[parameters + 7];
            return new SweepRow(
                    Config.of(values),
                    Integer.parseInt(cells[parameters]),
                    outcome(cells[parameters + 1]),
                    time,
                    registers.isEmpty() ? null : Integer.valueOf(registers));
        }

        private static TrialOutcome outcome(String cell) {
            return Arrays.stream(TrialOutcome.values())
                    .filter(outcome -> outcome.toString().equals(cell))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("unknown outcome '" + cell + "'"));
        }

        private static @Nullable Double number(String cell) {
            return cell.isEmpty() ? null : Double.valueOf(cell);
        }

        private static void require(boolean kept, String rule) {
            if (!kept) {
                throw new IllegalArgumentException(rule);
            }
        }

        private StoredSweep sweep() {
            if (family == null || shape == null || dtype == null) {
                throw new IllegalArgumentException("the header has no family or no problem");
            }
            return new StoredSweep(family, shape, dtype, pieces, rows);
        }
    }

    /** Writes a sweep whole, as text or columns by the name's ending; what was in the file before is gone. */
    public static void write(StoredSweep sweep, Path file) throws IOException {
        String text = text(sweep);
        if (file.toString().endsWith(ColumnFile.ENDING)) {
            ColumnFile.write(TableFile.document(text.lines().toList()), file);
        } else {
            Files.writeString(file, text);
        }
    }

    static String text(StoredSweep sweep) {
        SortedSet<String> names = new TreeSet<>();
        sweep.rows().forEach(row -> names.addAll(row.config().values().keySet()));
        SortedMap<String, ParameterValue> fixed = new TreeMap<>();
        for (String name : names) {
            if (sweep.rows().stream().allMatch(row -> row.config().has(name))
                    && sweep.rows().stream()
                                    .map(row -> row.config().value(name))
                                    .distinct()
                                    .count()
                            == 1) {
                fixed.put(name, sweep.rows().getFirst().config().value(name));
            }
        }
        List<String> columns =
                names.stream().filter(name -> !fixed.containsKey(name)).toList();
        StringBuilder text = new StringBuilder(MAGIC).append('\n');
        text.append(FAMILY).append(sweep.family()).append('\n');
        text.append(PROBLEM)
                .append(sweep.shape())
                .append(' ')
                .append(sweep.dtype())
                .append('\n');
        sweep.pieces().forEach(piece -> text.append(PIECE).append(piece).append('\n'));
        if (!fixed.isEmpty()) {
            text.append(FIXED).append(Config.of(fixed).canonical()).append('\n');
        }
        text.append(String.join(
                        ",", Stream.concat(columns.stream(), RESULTS.stream()).toList()))
                .append('\n');
        for (SweepRow row : sweep.rows()) {
            for (String name : columns) {
                text.append(row.config().has(name) ? row.config().value(name) : "")
                        .append(',');
            }
            text.append(row.piece()).append(',').append(row.outcome()).append(',');
            SweepRow.Time time = row.time();
            if (time == null) {
                text.append(",,,,,");
            } else {
                // A tenth of a nanosecond, or six digits: finer than any of it is known.
                text.append(rounded(time.medianNs())).append(',');
                text.append(rounded(time.lowNs())).append(',');
                text.append(rounded(time.highNs())).append(',');
                text.append(rounded(time.clockMhz())).append(',');
                text.append(time.anchorRatio() == null ? "" : String.format(Locale.ROOT, "%.5f", time.anchorRatio()))
                        .append(',');
            }
            text.append(row.registers() == null ? "" : row.registers()).append('\n');
        }
        return text.toString();
    }

    private static String rounded(@Nullable Double value) {
        if (value == null) {
            return "";
        }
        String text = String.format(Locale.ROOT, value < 100_000 ? "%.1f" : "%.0f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
