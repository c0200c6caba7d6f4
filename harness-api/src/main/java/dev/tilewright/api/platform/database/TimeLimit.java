package dev.tilewright.api.platform.database;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionSystemException;

/** The time limit that made the database fail. */
public final class TimeLimit {

    private TimeLimit() {}

    /** The limit that is the cause of a failure, with its number, in words; empty if none is. */
    public static Optional<String> reachedBy(Throwable failure) {
        ConnectionPool pool = ConnectionPool.current();
        for (Throwable cause = failure; cause != null; cause = before(cause)) {
            String limit = limit(cause, pool);
            if (limit != null) {
                return Optional.of(limit);
            }
        }
        return Optional.empty();
    }

    /** A session that was ended cannot be rolled back either, and the failure that says so hides the one before. */
    private static @Nullable Throwable before(Throwable failure) {
        return failure instanceof TransactionSystemException rollback && rollback.getApplicationException() != null
                ? rollback.getApplicationException()
                : failure.getCause();
    }

    private static @Nullable String limit(Throwable cause, ConnectionPool pool) {
        return switch (cause) {
            // With a cause of its own it is the database that does not let us in.
            case SQLTransientConnectionException full
            when full.getCause() == null ->
                "no connection for " + pool + " was had within " + seconds(pool.connectionWait()) + ": all "
                        + pool.size() + " are in use, or the database does not answer";
            case SQLException refused
            when refused.getSQLState() != null -> session(refused.getSQLState(), pool.limits());
            case SocketTimeoutException silent ->
                "the database did not answer for " + seconds(pool.limits().answer()) + " (socketTimeout)";
            default -> null;
        };
    }

    private static @Nullable String session(String state, SessionLimits limits) {
        return switch (state) {
            case "55P03" ->
                "another transaction held what it needs for longer than " + seconds(limits.lock()) + " (lock_timeout)";
            case "57014" -> "a statement took longer than " + seconds(limits.statement()) + " (statement_timeout)";
            case "25P03" ->
                "its transaction did nothing for " + seconds(limits.idle()) + " (idle_in_transaction_session_timeout)";
            default -> null;
        };
    }

    private static String seconds(Duration limit) {
        return limit.toSeconds() + " s";
    }
}
