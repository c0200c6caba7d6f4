package dev.tilewright.api.platform.database;

import java.sql.SQLException;
import java.util.List;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataIntegrityViolationException;

/** A value that the database does not take, whatever else it holds: such as a text with a character that it has not. */
public final class RefusedValue {

    /** The classes of SQL states of values that are wrong in themselves, or too large for Postgres. */
    private static final List<String> CLASSES = List.of("22", "54");

    private RefusedValue() {}

    /** Whether one is the cause, and not what else the database holds. */
    public static boolean isCauseOf(DataIntegrityViolationException failure) {
        return NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException sql
                && CLASSES.stream().anyMatch(String.valueOf(sql.getSQLState())::startsWith);
    }
}
