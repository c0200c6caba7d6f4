package dev.tilewright.api.platform.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.api.platform.ServiceHome;
import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.testing.PreparedHome;
import dev.tilewright.model.space.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program does with the database of an older one, and of a newer one. */
class MigrationTest {

    private static final String OLD = "016";
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-24T08:15:30Z"), ZoneOffset.UTC);
    private static final String JOB = """
            insert into job (id, name, state, family, restriction, strategy, seed, selector, created_at)
            values (gen_random_uuid(), 'kept', 'queued', 'sm90-gemm', '{}', 'random', 1, 'cuda', now())""";

    @TempDir
    Path folder;

    private ServiceHome home;
    private EmbeddedDatabase database;

    @BeforeEach
    void start() throws Exception {
        home = new ServiceHome(folder);
        home.create();
        PreparedHome.lendPrograms(folder);
        database = EmbeddedDatabase.start(home);
        database.awaitUp();
    }

    @AfterEach
    void stop() throws IOException {
        database.close();
    }

    private static Flyway flyway(EmbeddedDatabase of, String target) {
        return Flyway.configure()
                .dataSource(of.jdbcUrl(), of.user(), of.password())
                .locations("classpath:db/migration")
                .target(target)
                // The views are those of the newest schema.
                .repeatableSqlMigrationPrefix(target.equals("latest") ? "R" : "not-yet")
                .load();
    }

    private static void execute(EmbeddedDatabase at, String sql) throws SQLException {
        try (Connection connection =
                flyway(at, "latest").getConfiguration().getDataSource().getConnection()) {
            connection.createStatement().execute(sql);
        }
    }

    private static String query(EmbeddedDatabase at, String sql) throws SQLException {
        try (Connection connection =
                        flyway(at, "latest").getConfiguration().getDataSource().getConnection();
                ResultSet row = connection.createStatement().executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static String schema(EmbeddedDatabase of) throws SQLException {
        return query(of, "select max(version) from flyway_schema_history");
    }

    /** @param own nothing for an external database */
    private String migrate(@Nullable EmbeddedDatabase own, boolean asked) {
        ServiceSettings settings = new ServiceSettings(
                folder,
                null,
                null,
                null,
                null,
                null,
                null,
                false,
                Duration.ofSeconds(15),
                Duration.ofMinutes(15),
                Duration.ofSeconds(30),
                false,
                asked);
        Migration migration = new Migration(() -> own, settings, CLOCK);
        migration.migrate(flyway(database, "latest"));
        migration.start();
        return migration.current();
    }

    private List<String> copies() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("postgres-0"))
                    .toList();
        }
    }

    @Test
    void aDatabaseOfOursIsCopiedBeforeItsJobsMayBeChanged() throws Exception {
        flyway(database, OLD).migrate();
        execute(database, JOB);
        String now = migrate(database, false);

        assertThat(schema(database)).isEqualTo(now).isGreaterThan(OLD);
        assertThat(query(database, "select name from job")).isEqualTo("kept");
        assertThat(query(database, "select options ->> 'device' from job"))
                .as("as it is written now")
                .isEqualTo("cuda:all");
        assertThat(copies()).containsExactly("postgres-016-20261124T081530Z");
        assertThat(migrate(database, false))
                .as("the second start changes nothing")
                .isEqualTo(now);
        assertThat(copies()).hasSize(1);

        // The way back: the copy takes the place of the folder, and the older program is at home in it.
        ServiceHome before = new ServiceHome(folder.resolve("before"));
        before.create();
        PreparedHome.lendPrograms(before.root());
        Files.move(folder.resolve("postgres-016-20261124T081530Z"), before.postgres());
        Files.copy(home.postgresPassword(), before.postgresPassword());
        try (EmbeddedDatabase copy = EmbeddedDatabase.start(before)) {
            copy.awaitUp();
            assertThat(schema(copy)).isEqualTo(OLD);
            assertThat(query(copy, "select name from job")).isEqualTo("kept");
        }
    }

    @Test
    void eachSideOfAComparisonSaysItsFamily() throws Exception {
        flyway(database, "027").migrate();
        execute(database, """
                insert into gpu_task (id, kind, selector, family, request, state, created_at)
                select gen_random_uuid(), 'comparison', 'auto', 'sm90-gemm', r.request::jsonb, 'queued', now()
                from (values
                    ('{"type":"compare","family":"sm90-gemm","seed":1,"first":{"type":"own","config":{"tileM":128}},
                       "second":{"type":"peer","family":"cublaslt"}}'),
                    ('{"type":"compare","family":"sm90-gemm","seed":2,"first":{"type":"peer","family":"cublaslt"},
                       "second":{"type":"peer","family":"cublaslt","algorithm":"1"}}')) as r(request)""");
        migrate(database, false);
        String of = "select %s from gpu_task where request ->> 'seed' = '%d'";
        assertThat(query(database, of.formatted("makers", 1))).isEqualTo("{sm90-gemm}");
        assertThat(query(database, of.formatted("makers", 2))).isEqualTo("{}");
        assertThat(query(database, of.formatted("request -> 'first'", 1)))
                .isEqualTo("{\"type\": \"own\", \"config\": {\"tileM\": 128}, \"family\": \"sm90-gemm\"}");
        assertThat(query(database, of.formatted("request -> 'second'", 1)))
                .isEqualTo("{\"type\": \"peer\", \"family\": \"cublaslt\"}");
        assertThat(query(database, of.formatted("request ->> 'family'", 1))).isNull();
    }

    @Test
    void aStudyHasTheOptionsOfItsJob() throws Exception {
        flyway(database, "020").migrate();
        execute(database, JOB);
        execute(database, """
                insert into study (id, job_id, ordinal, problem, family, restriction, strategy, seed, selector, state)
                select gen_random_uuid(), id, 0, '{}', family, restriction, strategy, seed, selector, 'queued' from job""");
        execute(database, "create view v_study as select strategy, selector from study");
        migrate(database, false);

        assertThat(query(
                        database,
                        "select (j.options ->> 'strategy') || ' ' || (j.options ->> 'device') || ' ' || s.family"
                                + " from study s join job j on j.id = s.job_id"))
                .isEqualTo("random cuda sm90-gemm");
        assertThat(query(
                        database,
                        "select count(*) from information_schema.columns where table_name = 'study'"
                                + " and column_name in ('strategy', 'selector', 'seed', 'finalists')"))
                .isEqualTo("0");
    }

    /** The views of a database that runs depend on the table that is changed, and on each other. */
    @Test
    void evidenceIsKeptWhereTheViewsAreThere() throws Exception {
        flyway(database, "053").migrate();
        execute(database, Files.readString(Path.of("src/main/resources/db/migration/R__dashboard_views.sql")));
        execute(database, """
                insert into job (id, name, state, created_at, finished_at, options)
                    values (gen_random_uuid(), 'kept', 'cancelled', now(), now(), '{}');
                insert into study (id, job_id, ordinal, problem, family, state, finished_at)
                    select gen_random_uuid(), id, 0, '{}', 'toy', 'cancelled', now() from job;
                insert into trial (id, study_id, ordinal, family, config, config_hash, state, outcome, evidence, created_at,
                    finished_at, finish_seq)
                    select gen_random_uuid(), id, 0, 'toy', '{}', repeat('a', 64), 'finished', 'completed',
                        '{"tilesPerSm": [2, 1], "idleTailFraction": 0.25}', now(), now(), 1 from study""");
        flyway(database, "latest").migrate();

        assertThat(query(database, "select pg_typeof(evidence) || ' ' || evidence from trial"))
                .isEqualTo("json {\"tilesPerSm\": [2, 1], \"idleTailFraction\": 0.25}");
        assertThat(query(database, "select idle_tail_fraction || ' ' || jsonb_array_length(tiles_per_sm) from v_trial"))
                .isEqualTo("0.25 2");
        assertThat(query(database, "select count(*) from v_final")).isEqualTo("0");
    }

    /** A config without the parameter is the same kernel; one that used it stays as it was measured. */
    @Test
    void aRetiredParameterLeavesConfigsHashesAndRestrictions() throws Exception {
        flyway(database, "020").migrate();
        execute(database, JOB);
        execute(database, "update job set restriction = '{\"values\": {\"streamK\": [\"none\"], \"tileM\": [128]}}'");
        execute(database, """
                insert into study (id, job_id, ordinal, problem, family, restriction, strategy, seed, selector, state)
                select gen_random_uuid(), id, 0, '{}', family, restriction, strategy, seed, selector, 'queued' from job""");
        String shared = "mode=pingpong streamK=remainder tileM=128";
        for (String config : List.of("mode=pingpong streamK=none tileM=128", shared)) {
            execute(database, """
                    insert into trial (id, study_id, ordinal, family, config, config_hash, state, created_at)
                    select gen_random_uuid(), id, %d, family, '{"tileM": 128, "mode": "pingpong", "streamK": "%s"}', '%s',
                        'queued', now() from study""".formatted(
                            config.equals(shared) ? 1 : 0,
                            Config.parse(config).name("streamK"),
                            Config.parse(config).hash()));
        }
        migrate(database, false);

        String of = "select %s from trial where ordinal = %d";
        assertThat(query(database, of.formatted("config", 0))).isEqualTo("{\"mode\": \"pingpong\", \"tileM\": 128}");
        assertThat(query(database, of.formatted("config_hash", 0)))
                .isEqualTo(Config.parse("mode=pingpong tileM=128").hash());
        assertThat(query(database, of.formatted("config ->> 'streamK'", 1))).isEqualTo("remainder");
        assertThat(query(database, of.formatted("config_hash", 1)))
                .isEqualTo(Config.parse(shared).hash());
        assertThat(query(database, "select options -> 'restriction' from job"))
                .isEqualTo("{\"values\": {\"tileM\": [128]}}");
    }

    /** Postgres was stopped for the copy, which is no death; a death later on is one. */
    @Test
    void afterTheCopyPostgresIsLookedAfterAsBefore() throws Exception {
        flyway(database, OLD).migrate();
        execute(database, JOB);
        migrate(database, false);
        ProcessHandle running = new Postmaster(home.postgres()).running().orElseThrow();
        assertThat(query(database, "select name from job")).isEqualTo("kept");
        running.destroyForcibly();
        running.onExit().join();
        while (true) {
            try {
                assertThat(query(database, "select name from job")).isEqualTo("kept");
                return;
            } catch (SQLException comingBack) {
                Thread.sleep(50);
            }
        }
    }

    @Test
    void withoutJobsAndOnRequestThereIsNoCopy() throws Exception {
        flyway(database, OLD).migrate();
        String now = migrate(database, false);
        assertThat(schema(database)).isEqualTo(now);
        assertThat(copies()).isEmpty();
    }

    @Test
    void anExternalDatabaseWithJobsIsMigratedWhenItsOwnerAsksForIt() throws Exception {
        flyway(database, OLD).migrate();
        execute(database, JOB);
        assertThatThrownBy(() -> migrate(null, false))
                .rootCause()
                .isInstanceOf(RefusedSchemaException.class)
                .hasMessageMatching(
                        "the database has schema 016, and this program needs schema \\d{3}: copy the database"
                                + " first, such as with 'pg_dump --format=custom --file=tilewright-016.dump', and then start with"
                                + " --migrate");
        assertThat(schema(database)).isEqualTo(OLD);

        assertThat(migrate(null, true)).isEqualTo(schema(database)).isGreaterThan(OLD);
        assertThat(query(database, "select name from job")).isEqualTo("kept");
        assertThat(copies()).isEmpty();
    }

    @Test
    void aDatabaseOfANewerProgramIsRefusedEvenOnRequest() throws Exception {
        String now = migrate(database, false);
        execute(database, """
                insert into flyway_schema_history (installed_rank, version, description, type, script, checksum,
                    installed_by, execution_time, success)
                values (1000, '999', 'of tomorrow', 'SQL', 'V999__of_tomorrow.sql', 1, 'somebody', 1, true)""");
        for (boolean asked : List.of(false, true)) {
            assertThatThrownBy(() -> migrate(database, asked))
                    .rootCause()
                    .isInstanceOf(RefusedSchemaException.class)
                    .hasMessage("the database has schema 999, which is newer than schema " + now
                            + " of this program: run a program that knows it");
        }
    }
}
