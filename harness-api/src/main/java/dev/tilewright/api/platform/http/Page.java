package dev.tilewright.api.platform.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a long list.
 *
 * @param items in the order that was asked for
 * @param next cursor of the next part, to be given back as it is; {@code null} if this is the last
 */
public record Page<T>(List<T> items, @Nullable String next) {

    /** The most items that a page may have. */
    public static final int MAX_ITEMS = 500;

    /** Description of the parameter {@code limit} of a list. */
    public static final String LIMIT = "Most items of the page, from 1 to " + MAX_ITEMS;

    /** Description of the parameter {@code cursor} of a list. */
    public static final String CURSOR = "The next of the page before; the first page if left out";

    /** Refuses a limit out of range. */
    public static int limit(int limit) {
        if (limit < 1 || limit > MAX_ITEMS) {
            throw ApiProblem.malformed("limit", "must be from 1 to " + MAX_ITEMS + ", got " + limit);
        }
        return limit;
    }

    /** The number in a cursor, or a start where there is none. */
    public static long position(@Nullable String cursor, long start) {
        if (cursor == null || cursor.isBlank()) {
            return start;
        }
        if (!cursor.matches("\\d{1,18}")) {
            throw ApiProblem.malformed("cursor", "must be the 'next' of another page, got '" + cursor + "'");
        }
        return Long.parseLong(cursor);
    }
}
