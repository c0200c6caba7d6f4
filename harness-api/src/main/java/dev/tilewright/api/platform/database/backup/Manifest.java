package dev.tilewright.api.platform.database.backup;

import java.time.Instant;
import java.util.SortedMap;

/**
 * The description of a backup and its content.
 *
 * @param format of the file
 * @param schema of the database that it was made of
 * @param commit of the program that made it
 * @param rows of each table
 * @param sequences the last value of each sequence that gave one out
 */
public record Manifest(
        int format,
        String schema,
        String commit,
        Instant takenAt,
        SortedMap<String, Long> rows,
        SortedMap<String, Long> sequences) {

    /** The format version that this program writes and reads. */
    static final int FORMAT = 1;

    /** Where it stands in the file. */
    static final String ENTRY = "manifest.json";

    /** How many rows a table has. */
    public long rows(String table) {
        return rows.getOrDefault(table, 0L);
    }
}
