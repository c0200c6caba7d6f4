package dev.tilewright.api.web.shape;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table of shapes: a row for each M and N, a column for each K.
 *
 * @param says all of it in one sentence, without the full stop
 * @param rows each with its cells in the order of the columns
 */
record HeatMap(String title, String unit, String says, List<Integer> columns, List<Row> rows) {

    /** A shape with what is known of it. */
    record Point(int m, int n, int k, Cell cell) {}

    /**
     * A cell.
     *
     * @param look class of its colour; the text says the same
     */
    record Cell(String text, String look, String href) {}

    /** One M and N; {@code null} for a shape that nobody has tuned. */
    record Row(int m, int n, List<@Nullable Cell> cells) {}

    private record Sides(int m, int n) {}

    static HeatMap of(String title, String unit, String says, List<Point> points) {
        List<Integer> columns =
                List.copyOf(new TreeSet<>(points.stream().map(Point::k).toList()));
        Map<Sides, Map<Integer, Cell>> rows = points.stream()
                .collect(Collectors.groupingBy(
                        point -> new Sides(point.m(), point.n()),
                        Collectors.toMap(Point::k, Point::cell, (first, second) -> first)));
        return new HeatMap(
                title,
                unit,
                says,
                columns,
                rows.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey(
                                Comparator.comparingInt(Sides::m).thenComparingInt(Sides::n)))
                        .map(row -> new Row(row.getKey().m(), row.getKey().n(), cells(columns, row.getValue()::get)))
                        .toList());
    }

    private static List<@Nullable Cell> cells(List<Integer> columns, Function<Integer, @Nullable Cell> at) {
        List<@Nullable Cell> cells = new ArrayList<>();
        columns.forEach(k -> cells.add(at.apply(k)));
        return cells;
    }
}
