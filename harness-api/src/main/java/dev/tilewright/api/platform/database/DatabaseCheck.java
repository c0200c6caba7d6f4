package dev.tilewright.api.platform.database;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;

/** Asks an external database once whether it answers, so that a wrong address fails at once and in one line. */
public final class DatabaseCheck {

    private static final String TIMEOUT_SECONDS = "5";

    private DatabaseCheck() {}

    /** The reason why the database does not answer, with host and port but no password; empty if it does. */
    public static Optional<String> failure(DatabaseUrl url) {
        Properties properties = new Properties();
        if (url.user() != null) {
            properties.setProperty("user", url.user());
        }
        if (url.password() != null) {
            properties.setProperty("password", url.password());
        }
        properties.setProperty("connectTimeout", TIMEOUT_SECONDS);
        properties.setProperty("loginTimeout", TIMEOUT_SECONDS);
        properties.setProperty("socketTimeout", TIMEOUT_SECONDS);
        try (var connection = DriverManager.getConnection(url.jdbcUrl(), properties)) {
            return connection.isValid(5)
                    ? Optional.empty()
                    : Optional.of("the database at " + url + " does not answer");
        } catch (SQLException e) {
            String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("unknown error");
            return Optional.of("cannot reach the database at " + url + ": " + why);
        }
    }
}
