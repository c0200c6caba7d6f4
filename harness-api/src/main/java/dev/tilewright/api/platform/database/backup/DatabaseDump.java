package dev.tilewright.api.platform.database.backup;

import dev.tilewright.api.platform.Build;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.postgresql.PGConnection;
import tools.jackson.databind.json.JsonMapper;

/** Writes a database into a zip, as it was at one moment, whatever is written to it meanwhile. */
public final class DatabaseDump {

    private final Connection database;

    private DatabaseDump(Connection database) {
        this.database = database;
    }

    /**
     * Writes all tables, and the manifest after them.
     *
     * @throws RefusedBackupException if it cannot be read, or is none of ours
     */
    public static Manifest write(DatabaseLogin login, ZipOutputStream zip, Instant now)
            throws IOException, RefusedBackupException {
        try (Connection connection = login.connect()) {
            return new DatabaseDump(connection).write(zip, now);
        } catch (SQLException failed) {
            throw new RefusedBackupException("the database cannot be read: " + failed.getMessage(), failed);
        }
    }

    private Manifest write(ZipOutputStream zip, Instant now) throws SQLException, IOException, RefusedBackupException {
        database.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        database.setReadOnly(true);
        database.setAutoCommit(false);
        String schema = schema();
        SortedMap<String, Long> rows = new TreeMap<>();
        for (Map.Entry<String, List<String>> table : Tables.of(database).entrySet()) {
            zip.putNextEntry(new ZipEntry(entry(table.getKey())));
            rows.put(
                    table.getKey(),
                    database.unwrap(PGConnection.class)
                            .getCopyAPI()
                            .copyOut(
                                    "copy " + Tables.quoted(table.getKey(), table.getValue()) + " to stdout",
                                    new Entry(zip)));
            zip.closeEntry();
        }
        // Sequences are of no transaction: read last, each is at least as far as the rows are.
        Manifest manifest =
                new Manifest(Manifest.FORMAT, schema, Build.commit(), now, rows, Tables.sequences(database));
        database.rollback();
        zip.putNextEntry(new ZipEntry(Manifest.ENTRY));
        zip.write(JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsBytes(manifest));
        zip.closeEntry();
        return manifest;
    }

    static String entry(String table) {
        return "tables/" + table + ".copy";
    }

    private String schema() throws SQLException, RefusedBackupException {
        try (Statement statement = database.createStatement()) {
            try (ResultSet history =
                    statement.executeQuery("select to_regclass('flyway_schema_history') is not null")) {
                if (!history.next() || !history.getBoolean(1)) {
                    throw new RefusedBackupException(
                            "the database has no schema of Tilewright: there is nothing to back up");
                }
            }
            try (ResultSet last = statement.executeQuery("select version from flyway_schema_history"
                    + " where version is not null and success order by installed_rank desc limit 1")) {
                if (!last.next()) {
                    throw new RefusedBackupException(
                            "no migration of the database has succeeded: start a service on it first");
                }
                return last.getString(1);
            }
        }
    }

    /** An entry, which whoever writes to it does not close. */
    private static final class Entry extends OutputStream {

        private final ZipOutputStream zip;

        Entry(ZipOutputStream zip) {
            this.zip = zip;
        }

        @Override
        public void write(int b) throws IOException {
            zip.write(b);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            zip.write(bytes, from, count);
        }
    }
}
