package dev.tilewright.api.platform.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.ResultSchema;
import dev.tilewright.api.testing.ServeProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A backup of a service of schema 027, with a simulated tune of that time and a final of a real GPU, is read by this
 * program. What it answers has all that the service of that time answered.
 */
class UpgradeTest {

    private static final String MEASURED = "00000000-0000-4000-8000-000000000002";

    @TempDir
    Path home;

    private static JsonNode answered(String file) throws IOException {
        try (InputStream stored = Objects.requireNonNull(UpgradeTest.class.getResourceAsStream("/upgrade/" + file))) {
            return JsonMapper.shared().readTree(stored);
        }
    }

    @Test
    void whatAnOlderServiceKeptIsServedAsItWas() throws Exception {
        Path backup = Path.of(Objects.requireNonNull(UpgradeTest.class.getResource("/upgrade/schema-027.backup"))
                .toURI());
        StringWriter said = new StringWriter();
        assertThat(BackupMain.run(
                        Map.of("TILEWRIGHT_HOME", home.toString()),
                        Clock.systemUTC(),
                        new PrintWriter(said, true),
                        new PrintWriter(said, true),
                        "restore",
                        backup.toString()))
                .as(said.toString())
                .isZero();
        assertThat(said.toString())
                .startsWith("restored: 2 jobs, 2 studies, 5 trials, 13 kernel files, schema 027, taken at"
                        + " 2026-11-25T23:13:38.477749335Z by the program of commit 768e39db5523");
        ServeProcess serve = ServeProcess.start(home, Map.of(), "--port", "0", "--no-worker");
        try {
            Api api = new Api(serve.url());
            assertThat(serve.output()).contains("the database had schema 027 and has schema ");
            assertContains(api.get("/api/v1/best").expect(200), answered("best.json"), "best");
            JsonNode result = api.result(MEASURED);
            assertContains(result, answered("result.json"), "result");
            assertThat(ResultSchema.errors(result)).isEmpty();
            assertThat(api.get("/api/v1/trials/00000000-0000-4000-8000-000000000004/ptx")
                            .text())
                    .isEqualTo("text");
            JsonNode jobs = api.get("/api/v1/jobs?name=before%20the%20upgrade")
                    .expect(200)
                    .get("items");
            assertThat(jobs)
                    .hasSize(2)
                    .allMatch(job -> job.get("state").asString().equals("finished"));
            String tuned = jobs.valueStream()
                    .map(job -> job.get("id").asString())
                    .filter(id -> !id.equals(MEASURED))
                    .findFirst()
                    .orElseThrow();
            assertThat(ResultSchema.errors(api.result(tuned))).isEmpty();
            assertThat(api.get("/actuator/prometheus").status()).isEqualTo(200);
        } finally {
            serve.process().destroy();
            assertThat(serve.process().onExit()).succeedsWithin(Duration.ofSeconds(60));
        }
        try (Stream<Path> files = Files.list(home)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .as("the database as it was")
                    .anyMatch(name -> name.startsWith("postgres-027-"));
        }
    }

    /** What was said then is said now; what is new may stand beside it. */
    private static void assertContains(JsonNode now, JsonNode then, String where) {
        if (then.isObject()) {
            then.properties().forEach(property -> {
                assertThat(now.has(property.getKey()))
                        .as(where + "/" + property.getKey())
                        .isTrue();
                assertContains(now.get(property.getKey()), property.getValue(), where + "/" + property.getKey());
            });
        } else if (then.isArray()) {
            assertThat(now).as(where).hasSize(then.size());
            for (int i = 0; i < then.size(); i++) {
                assertContains(now.get(i), then.get(i), where + "/" + i);
            }
        } else if (where.endsWith("/note")) {
            // A sentence for people, which may be said better.
            assertThat(now.asString()).as(where).isNotBlank();
        } else {
            assertThat(now).as(where).isEqualTo(then);
        }
    }
}
