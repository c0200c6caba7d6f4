package dev.tilewright.api.platform.database.backup;

import dev.tilewright.api.platform.database.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationVersion;
import org.postgresql.PGConnection;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a database back from a zip. It gets the schema that the backup has; a service that starts on it brings it up to
 * date as it does any other.
 */
public final class DatabaseLoad {

    private static final String LOCATION = "classpath:db/migration";

    /** Views are made by the service that starts next: they are of its schema, not of that of the backup. */
    private static final String NO_VIEWS = "none__";

    private final ZipFile zip;
    private final Manifest manifest;

    private DatabaseLoad(ZipFile zip, Manifest manifest) {
        this.zip = zip;
        this.manifest = manifest;
    }

    /**
     * Reads what a backup is.
     *
     * @param zip that the caller closes
     * @throws RefusedBackupException if it is none, or one that this program cannot read
     */
    public static DatabaseLoad of(ZipFile zip) throws IOException, RefusedBackupException {
        ZipEntry entry = zip.getEntry(Manifest.ENTRY);
        if (entry == null) {
            throw new RefusedBackupException(zip.getName() + " is no backup: it has no " + Manifest.ENTRY);
        }
        Manifest manifest;
        try (InputStream json = zip.getInputStream(entry)) {
            manifest = JsonMapper.shared().readValue(json, Manifest.class);
        } catch (JacksonException unreadable) {
            throw new RefusedBackupException(
                    zip.getName() + ": " + Manifest.ENTRY + " cannot be read: " + unreadable.getOriginalMessage(),
                    unreadable);
        }
        if (manifest.format() != Manifest.FORMAT) {
            throw new RefusedBackupException(zip.getName() + " has format " + manifest.format()
                    + ", and this program reads format " + Manifest.FORMAT);
        }
        MigrationVersion known = Schema.newest();
        if (MigrationVersion.fromVersion(manifest.schema()).compareTo(known) > 0) {
            throw new RefusedBackupException(zip.getName() + " has schema " + manifest.schema()
                    + ", which is newer than schema " + known
                    + " of this program: restore it with the program of commit "
                    + manifest.commit() + " or a newer one");
        }
        return new DatabaseLoad(zip, manifest);
    }

    public Manifest manifest() {
        return manifest;
    }

    /**
     * Fills a database, which must be empty.
     *
     * @throws RefusedBackupException if it is not, or the backup is damaged; the tables are empty then
     */
    public void into(DatabaseLogin login) throws IOException, RefusedBackupException {
        try (Connection connection = login.connect()) {
            refuseTables(connection);
            flyway(login).migrate();
            connection.setAutoCommit(false);
            copy(connection);
            forward(connection);
            connection.commit();
        } catch (SQLException failed) {
            throw new RefusedBackupException("the database cannot be filled: " + failed.getMessage(), failed);
        }
    }

    private Flyway flyway(DatabaseLogin login) {
        return Flyway.configure()
                .dataSource(login.url(), login.user(), login.password())
                .locations(LOCATION)
                .repeatableSqlMigrationPrefix(NO_VIEWS)
                .target(manifest.schema())
                .load();
    }

    private static void refuseTables(Connection database) throws SQLException, RefusedBackupException {
        try (Statement statement = database.createStatement();
                ResultSet count = statement.executeQuery("select count(*), current_database() from pg_class"
                        + " where relnamespace = current_schema()::regnamespace and relkind = 'r'")) {
            count.next();
            if (count.getInt(1) > 0) {
                throw new RefusedBackupException("the database '" + count.getString(2) + "' has " + count.getInt(1)
                        + " tables, and must be empty: restore into another one");
            }
        }
    }

    private void copy(Connection database) throws SQLException, IOException, RefusedBackupException {
        Map<String, List<String>> tables = Tables.of(database);
        if (!new TreeSet<>(tables.keySet()).equals(manifest.rows().keySet())) {
            throw new RefusedBackupException(
                    zip.getName() + " has the tables " + manifest.rows().keySet() + ", and schema " + manifest.schema()
                            + " has " + new TreeSet<>(tables.keySet()));
        }
        for (Map.Entry<String, List<String>> table : tables.entrySet()) {
            ZipEntry entry = zip.getEntry(DatabaseDump.entry(table.getKey()));
            if (entry == null) {
                throw new RefusedBackupException(zip.getName() + " has no " + DatabaseDump.entry(table.getKey()));
            }
            try (InputStream rows = zip.getInputStream(entry)) {
                long read = database.unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("copy " + Tables.quoted(table.getKey(), table.getValue()) + " from stdin", rows);
                if (read != manifest.rows(table.getKey())) {
                    throw new RefusedBackupException(zip.getName() + " is damaged: of table " + table.getKey()
                            + " it has " + read + " rows, and should have " + manifest.rows(table.getKey()));
                }
            }
        }
    }

    /** Sets sequences to continue after the loaded rows. */
    private void forward(Connection database) throws SQLException {
        try (PreparedStatement set = database.prepareStatement("select setval(cast(? as regclass), ?)")) {
            for (Map.Entry<String, Long> sequence : manifest.sequences().entrySet()) {
                set.setString(1, "\"" + sequence.getKey() + "\"");
                set.setLong(2, sequence.getValue());
                set.execute();
            }
        }
    }
}
