package dev.tilewright.model.text;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The columns of a table, without those in which its rows do not differ. One row alone keeps its columns.
 *
 * @param differing the columns that are left, in their order, from 0
 * @param all names and values of the columns with one value in all rows, but for those without any value
 */
public record FoldedColumns(List<Integer> differing, String all) {

    /** Cells without a value. */
    private static final Set<String> NONE = Set.of("", "-", "–");

    /** @param rows as many cells each as there are names */
    public static FoldedColumns of(List<String> names, List<List<String>> rows) {
        return new FoldedColumns(
                IntStream.range(0, names.size())
                        .filter(column -> !isEqual(rows, column))
                        .boxed()
                        .toList(),
                IntStream.range(0, names.size())
                        .filter(column -> isEqual(rows, column) && !isEmpty(rows, column))
                        .mapToObj(column ->
                                names.get(column) + " " + rows.getFirst().get(column))
                        .collect(Collectors.joining("; ")));
    }

    private static boolean isEqual(List<List<String>> rows, int column) {
        return isEmpty(rows, column)
                || rows.size() > 1
                        && rows.stream().map(row -> row.get(column)).distinct().count() == 1;
    }

    private static boolean isEmpty(List<List<String>> rows, int column) {
        return rows.stream().map(row -> row.get(column)).allMatch(NONE::contains);
    }
}
