package dev.tilewright.api.platform.database;

import java.time.Duration;
import java.util.Properties;

/**
 * For how long a session of Postgres lets anybody wait.
 *
 * @param lock for a lock that another transaction holds
 * @param statement for the end of a statement
 * @param idle for the next statement of a transaction, before the session is ended
 */
record SessionLimits(Duration lock, Duration statement, Duration idle) {

    /** An index of a large table takes minutes, and the connection that holds Flyway's lock idles meanwhile. */
    static final SessionLimits MIGRATION =
            new SessionLimits(Duration.ofSeconds(60), Duration.ofHours(1), Duration.ofHours(1));

    /** The listener waits for no lock and runs no statement but LISTEN. */
    static final SessionLimits LISTENER =
            new SessionLimits(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(10));

    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** So much longer than a statement may take the driver waits for Postgres, which is to say no itself. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** First statements of a new session. Every proxy passes them on, unlike parameters of the connection. */
    String statements() {
        return "set lock_timeout = " + lock.toMillis() + "; set statement_timeout = " + statement.toMillis()
                + "; set idle_in_transaction_session_timeout = " + idle.toMillis();
    }

    /** For how long the driver waits for a Postgres that says nothing. */
    Duration answer() {
        return statement.plus(GRACE);
    }

    /** Properties for the driver. */
    Properties driver() {
        Properties properties = new Properties();
        properties.setProperty("connectTimeout", Long.toString(CONNECT.toSeconds()));
        properties.setProperty("loginTimeout", Long.toString(CONNECT.toSeconds()));
        properties.setProperty("socketTimeout", Long.toString(answer().toSeconds()));
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("ApplicationName", "tilewright");
        return properties;
    }
}
