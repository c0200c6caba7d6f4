package dev.tilewright.api.platform.database;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationInfoService;
import org.flywaydb.core.api.MigrationVersion;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * The schema of a database beside that of this program.
 *
 * @param stored {@code null} if the database has none yet
 * @param known the newest that this program can make
 */
public record Schema(@Nullable MigrationVersion stored, MigrationVersion known) {

    /** Tables of users' requests; an older database lacks some of them. */
    private static final List<String> ASKED_FOR = List.of("job", "gate_run");

    static Schema of(Flyway flyway) {
        MigrationInfoService info = flyway.info();
        MigrationInfo last = info.current();
        return new Schema(last == null ? null : last.getVersion(), known(info));
    }

    private static MigrationVersion known(MigrationInfoService info) {
        return Arrays.stream(info.all())
                .filter(migration ->
                        migration.isVersioned() && migration.getState().isResolved())
                .map(MigrationInfo::getVersion)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** The newest schema that this program can make, without a database. */
    public static MigrationVersion newest() throws IOException {
        Pattern name = Pattern.compile("V(\\d+)__.*");
        return Arrays.stream(new PathMatchingResourcePatternResolver().getResources("classpath:db/migration/V*.sql"))
                .map(file -> name.matcher(String.valueOf(file.getFilename())))
                .filter(Matcher::matches)
                .map(file -> MigrationVersion.fromVersion(file.group(1)))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    boolean isNewer() {
        return stored != null && stored.compareTo(known) > 0;
    }

    boolean isOlder() {
        return stored != null && stored.compareTo(known) < 0;
    }

    /** The stored version. */
    String before() {
        return Objects.requireNonNull(stored).toString();
    }

    /** Whether somebody would miss something of the database: users have had something done. */
    static boolean hasWork(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : ASKED_FOR) {
                if (isTrue(statement, "select to_regclass('" + table + "') is not null")
                        && isTrue(statement, "select exists (select from " + table + ")")) {
                    return true;
                }
            }
            return false;
        }
    }

    private static boolean isTrue(Statement statement, String question) throws SQLException {
        try (ResultSet answer = statement.executeQuery(question)) {
            return answer.next() && answer.getBoolean(1);
        }
    }
}
