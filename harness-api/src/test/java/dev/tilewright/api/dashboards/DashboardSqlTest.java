package dev.tilewright.api.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Every query of every dashboard runs as the read-only role on the migrated schema and finds the rows of
 * {@code example.sql}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardSqlTest {

    /** The study and the trial of example.sql. */
    private static final Map<String, String> CHOSEN = Map.of(
            "study", "00000000-0000-0000-0000-000000000003",
            "trial", "00000000-0000-0000-0000-000000000011",
            "gpu", "Example GPU",
            "dtype", "bf16",
            "gate", "main",
            "case", "square");

    private EmbeddedPostgres postgres;

    @BeforeAll
    void migrateAndFill() throws IOException, SQLException {
        postgres = EmbeddedPostgres.start();
        Flyway.configure()
                .dataSource(postgres.getPostgresDatabase())
                .locations("classpath:db/migration")
                .load()
                .migrate();
        try (InputStream example = Objects.requireNonNull(getClass().getResourceAsStream("/dashboards/example.sql"));
                Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(new String(example.readAllBytes(), StandardCharsets.UTF_8));
            statement.execute("create table added_later (secret text)");
        }
    }

    @AfterAll
    void stop() throws IOException {
        postgres.close();
    }

    @TestFactory
    Stream<DynamicTest> everyQueryFindsTheExample() throws IOException {
        List<GeneratedDashboards.Query> queries = GeneratedDashboards.sql();
        assertThat(queries)
                .extracting(GeneratedDashboards.Query::dashboard)
                .contains("tilewright-fleet", "tilewright-study", "tilewright-shapes", "tilewright-regressions");
        return queries.stream()
                .map(query -> DynamicTest.dynamicTest(
                        query.dashboard() + ": " + query.name(),
                        () -> assertThat(rows(GrafanaSql.expand(query.text(), CHOSEN)))
                                .isPositive()));
    }

    @TestFactory
    Stream<DynamicTest> everyQueryOfAStudyIsEmptyButValidBeforeOneIsChosen() throws IOException {
        Map<String, String> none = Map.of("study", "", "trial", "", "gpu", "", "dtype", "", "gate", "", "case", "");
        return GeneratedDashboards.sql().stream()
                .filter(query -> query.text().contains("${"))
                .map(query -> DynamicTest.dynamicTest(
                        query.dashboard() + ": " + query.name(),
                        () -> assertThat(rows(GrafanaSql.expand(query.text(), none)))
                                .isZero()));
    }

    /** Who left it early was timed less: it is no winner, however fast it was until then. */
    @Test
    void aFinalIsShownByThoseThatStayed() throws SQLException {
        assertThat(text("select scheduler || ' ' || best_peer || ' ' || ratio from v_final"))
                .isEqualTo("atomic cublaslt:0 1.02");
    }

    /** The worker of the example has one trial of a study and one comparison. */
    @Test
    void aWorkerHoldsTrialsAndTasks() throws SQLException {
        assertThat(text("select live_leases from v_worker"))
                .isEqualTo(text("select 1 + count(*) from v_attempt where ended_at is null"));
    }

    /** Of all that is stored, tables that a later migration makes included. */
    @TestFactory
    Stream<DynamicTest> theReaderIsRefusedEveryTable() throws SQLException {
        List<String> tables = texts("""
                select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where c.relkind in ('r', 'p', 'm', 'f', 'S') and n.nspname not in ('pg_catalog', 'information_schema')
                    and n.nspname not like 'pg_toast%'
                """);
        assertThat(tables).contains("public.trial", "public.access_token", "public.bundle", "public.added_later");
        return tables.stream()
                .map(table -> DynamicTest.dynamicTest(
                        table,
                        () -> assertThatThrownBy(() -> rows("select from " + table))
                                .hasMessageContaining("permission denied")));
    }

    /** By a panel or by another view. */
    @Test
    void everyColumnOfAViewIsRead() throws IOException, SQLException {
        List<String> readers = Stream.concat(
                        GeneratedDashboards.sql().stream().map(GeneratedDashboards.Query::text),
                        texts("select definition from pg_views where viewname like 'v\\_%'").stream())
                .toList();
        assertThat(texts("""
                        select table_name || ' ' || column_name from information_schema.columns
                        where table_name like 'v\\_%'"""))
                .isNotEmpty()
                .filteredOn(each -> {
                    String[] name = each.split(" ");
                    return readers.stream().noneMatch(text -> has(text, name[0]) && has(text, name[1]));
                })
                .isEmpty();
    }

    private static boolean has(String text, String word) {
        return Pattern.compile("\\b" + word + "\\b").matcher(text).find();
    }

    @Test
    void theReaderHasTheViewsAndMayReadThemAlone() throws SQLException {
        assertThat(texts("""
                select table_name || ' ' || privilege_type from information_schema.table_privileges
                where grantee = 'tilewright_reader'
                """))
                .containsExactlyInAnyOrderElementsOf(
                        texts("select viewname || ' SELECT' from pg_views where schemaname = 'public'"))
                .contains("v_trial SELECT");
        assertThatThrownBy(() -> rows("delete from v_attempt returning 1")).hasMessageContaining("permission denied");
    }

    @Test
    void anUnknownMacroIsRefused() {
        assertThatThrownBy(() -> GrafanaSql.expand("select $__unixEpochFilter(x)", CHOSEN))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GrafanaSql.expand("select ${job:sqlstring}", CHOSEN))
                .hasMessageContaining("variable job has no value");
    }

    private String text(String sql) throws SQLException {
        List<String> texts = texts(sql);
        assertThat(texts).as("one row").hasSize(1);
        return texts.getFirst();
    }

    private List<String> texts(String sql) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> texts = new ArrayList<>();
            while (result.next()) {
                texts.add(result.getString(1));
            }
            return texts;
        }
    }

    private long rows(String sql) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("set role tilewright_reader");
            long rows = 0;
            try (ResultSet result = statement.executeQuery(sql)) {
                while (result.next()) {
                    rows++;
                }
            }
            return rows;
        }
    }
}
