package dev.tilewright.api.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every query of every dashboard runs as the read-only role on the migrated schema and finds the rows of
 * {@code example.sql}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardSqlTest {

    private static final String RESULTS = "grafana-postgresql-datasource";

    /** The study and the trial of example.sql. */
    private static final Map<String, String> CHOSEN =
            Map.of("study", "00000000-0000-0000-0000-000000000003", "trial", "00000000-0000-0000-0000-000000000011");

    private record Query(String dashboard, String name, String sql) {}

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
        }
    }

    @AfterAll
    void stop() throws IOException {
        postgres.close();
    }

    @TestFactory
    Stream<DynamicTest> everyQueryFindsTheExample() throws IOException {
        List<Query> queries = queries();
        assertThat(queries).extracting(Query::dashboard).contains("tilewright-fleet", "tilewright-study");
        return queries.stream()
                .map(query -> DynamicTest.dynamicTest(
                        query.dashboard() + ": " + query.name(),
                        () -> assertThat(rows(GrafanaSql.expand(query.sql(), CHOSEN)))
                                .isPositive()));
    }

    @TestFactory
    Stream<DynamicTest> everyQueryOfAStudyIsEmptyButValidBeforeOneIsChosen() throws IOException {
        Map<String, String> none = Map.of("study", "", "trial", "");
        return queries().stream()
                .filter(query -> query.sql().contains("${"))
                .map(query -> DynamicTest.dynamicTest(
                        query.dashboard() + ": " + query.name(),
                        () -> assertThat(rows(GrafanaSql.expand(query.sql(), none)))
                                .isZero()));
    }

    @Test
    void theReaderMayNotWriteNorSeeKeysOfUsers() {
        assertThatThrownBy(() -> rows("delete from trial returning id")).hasMessageContaining("permission denied");
        assertThatThrownBy(() -> rows("select key from idempotency_key")).hasMessageContaining("permission denied");
    }

    @Test
    void anUnknownMacroIsRefused() {
        assertThatThrownBy(() -> GrafanaSql.expand("select $__unixEpochFilter(x)", CHOSEN))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GrafanaSql.expand("select ${job:sqlstring}", CHOSEN))
                .hasMessageContaining("variable job has no value");
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

    private static List<Query> queries() throws IOException {
        JsonMapper json = JsonMapper.builder().build();
        List<Query> queries = new ArrayList<>();
        List<Path> files;
        try (Stream<Path> found = Files.list(generated())) {
            files = found.filter(file -> file.toString().endsWith(".json")).toList();
        }
        for (Path file : files) {
            JsonNode dashboard = json.readTree(Files.readString(file));
            String uid = dashboard.get("uid").asString();
            for (JsonNode variable : dashboard.path("templating").path("list")) {
                queries.add(new Query(
                        uid,
                        "$" + variable.get("name").asString(),
                        variable.get("query").asString()));
            }
            for (JsonNode panel : dashboard.get("panels")) {
                for (JsonNode target : panel.get("targets")) {
                    if (target.get("datasource").get("type").asString().equals(RESULTS)) {
                        queries.add(new Query(
                                uid,
                                panel.get("title").asString(),
                                target.get("rawSql").asString()));
                    }
                }
            }
        }
        return queries;
    }

    /** The folder is two above when Maven runs the module, and below when the root is the working directory. */
    private static Path generated() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.isDirectory(folder.resolve("dashboards/generated"))) {
            folder = folder.getParent();
        }
        assertThat(folder)
                .as("a folder above %s with dashboards/generated", Path.of("").toAbsolutePath())
                .isNotNull();
        return Objects.requireNonNull(folder).resolve("dashboards/generated");
    }
}
