package dev.tilewright.api.platform.database;

import dev.tilewright.api.testing.RunningService.Service;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** Somebody with a session of his own on the database of a service, such as in psql, and with locks until he ends. */
record OtherSession(Connection connection) implements AutoCloseable {

    /** @param sql what takes the locks */
    static OtherSession holding(Service service, String sql) throws SQLException {
        JdbcConnectionDetails database = service.bean(JdbcConnectionDetails.class);
        Connection connection =
                DriverManager.getConnection(database.getJdbcUrl(), database.getUsername(), database.getPassword());
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
        return new OtherSession(connection);
    }

    /** A study of a job, as somebody holds it who may remove it. */
    static OtherSession holdingStudyOf(Service service, String job) throws SQLException {
        return holding(service, "select id from study where job_id = '" + job + "' for update");
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.close();
    }
}
