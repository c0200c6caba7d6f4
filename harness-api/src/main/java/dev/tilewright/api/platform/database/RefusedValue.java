package dev.tilewright.api.platform.database;

import java.sql.SQLException;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataIntegrityViolationException;

/** A value that the database does not take, whatever else it holds: such as a text with a character that it has not. */
public final class RefusedValue {

    /** The class of SQL states of values that are wrong in themselves. */
    private static final String DATA_EXCEPTION = "22";

    private RefusedValue() {}

    /** Whether one is the cause, and not what else the database holds. */
    public static boolean isCauseOf(DataIntegrityViolationException failure) {
        return NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException sql
                && String.valueOf(sql.getSQLState()).startsWith(DATA_EXCEPTION);
    }
}
