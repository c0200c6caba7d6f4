package dev.tilewright.api.platform.database.backup;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** How a database is reached: its address as JDBC has it, and who asks. */
public record DatabaseLogin(
        String url, @Nullable String user, @Nullable String password) {

    Connection connect() throws SQLException {
        Properties properties = new Properties();
        put(properties, "user", user);
        put(properties, "password", password);
        put(properties, "ApplicationName", "tilewright backup");
        return DriverManager.getConnection(url, properties);
    }

    private static void put(Properties properties, String name, @Nullable String value) {
        if (value != null) {
            properties.setProperty(name, value);
        }
    }

    /** Without the password. */
    @Override
    public String toString() {
        return url;
    }
}
