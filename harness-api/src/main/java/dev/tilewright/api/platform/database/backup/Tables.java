package dev.tilewright.api.platform.database.backup;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The tables of a database with the columns that are copied, those first that others refer to. */
final class Tables {

    /** Tables that migrations and the scheduler fill themselves. */
    private static final String NOT_COPIED = "('flyway_schema_history', 'scheduled_tasks')";

    private Tables() {}

    /** Columns of each table; a table comes after those that it refers to. */
    static Map<String, List<String>> of(Connection database) throws SQLException {
        Map<String, List<String>> columns = new TreeMap<>();
        each(
                database,
                """
                select c.relname, a.attname from pg_class c
                join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname not in %s
                order by c.relname, a.attnum""".formatted(NOT_COPIED),
                row -> columns.computeIfAbsent(row.getString(1), name -> new ArrayList<>())
                        .add(row.getString(2)));
        Map<String, Set<String>> needs = new HashMap<>();
        each(
                database,
                """
                select f.conrelid::regclass::text, f.confrelid::regclass::text from pg_constraint f
                where f.contype = 'f' and f.connamespace = current_schema()::regnamespace and f.conrelid <> f.confrelid""",
                row -> needs.computeIfAbsent(row.getString(1), name -> new HashSet<>())
                        .add(row.getString(2)));
        Map<String, List<String>> ordered = new LinkedHashMap<>();
        while (ordered.size() < columns.size()) {
            List<String> free = columns.keySet().stream()
                    .filter(table -> !ordered.containsKey(table))
                    .filter(table -> ordered.keySet().containsAll(needs.getOrDefault(table, Set.of())))
                    .toList();
            if (free.isEmpty()) {
                throw new IllegalStateException("tables refer to each other in a ring: " + columns.keySet());
            }
            free.forEach(table -> ordered.put(table, columns.get(table)));
        }
        return ordered;
    }

    /** The last value of each sequence that gave one out. */
    static SortedMap<String, Long> sequences(Connection database) throws SQLException {
        SortedMap<String, Long> last = new TreeMap<>();
        each(
                database,
                "select sequencename, last_value from pg_sequences where schemaname = current_schema() and last_value is not null",
                row -> last.put(row.getString(1), row.getLong(2)));
        return last;
    }

    /** A table with its columns, as {@code copy} wants it. */
    static String quoted(String table, List<String> columns) {
        return "\"" + table + "\" ("
                + columns.stream().map(column -> "\"" + column + "\"").collect(Collectors.joining(", ")) + ")";
    }

    private interface Row {
        void take(ResultSet row) throws SQLException;
    }

    private static void each(Connection database, String sql, Row taker) throws SQLException {
        try (Statement statement = database.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                taker.take(rows);
            }
        }
    }
}
