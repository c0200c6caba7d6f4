package dev.tilewright.api.platform.database;

import java.util.Collection;
import java.util.UUID;

/**
 * Ids that a column of a query is compared with. Postgres plans for an array each time anew, which takes longer than to
 * read the few rows of one id: where there is one id alone, it is compared with that.
 */
public record OneOrMany(Collection<UUID> ids) {

    private boolean isOne() {
        return ids.size() == 1;
    }

    /** The right side of {@code column =} in the query. */
    public String in(String parameter) {
        return isOne() ? ":" + parameter : "any(cast(:" + parameter + " as uuid[]))";
    }

    /** The value of the parameter. */
    public Object value() {
        return isOne()
                ? ids.iterator().next()
                : ids.stream().map(UUID::toString).toArray(String[]::new);
    }
}
