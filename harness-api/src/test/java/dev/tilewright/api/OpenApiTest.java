package dev.tilewright.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

@ExtendWith(RunningService.class)
class OpenApiTest {

    private static final Path COMMITTED = Path.of("../docs/openapi.json");

    /** {@code -Dopenapi.accept=true} writes the file anew. */
    @Test
    void theCommittedDocumentIsWhatTheServiceSays(Api api) throws IOException {
        JsonMapper sorted = JsonMapper.builder()
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, SerializationFeature.INDENT_OUTPUT)
                .build();
        JsonNode now = api.get("/v3/api-docs").expect(200);
        String text = sorted.writeValueAsString(sorted.treeToValue(now, Object.class)) + "\n";
        if (Boolean.getBoolean("openapi.accept")) {
            Files.writeString(COMMITTED, text);
        }
        assertThat(Files.readString(COMMITTED)).isEqualTo(text);
    }

    @Test
    void everyOperationIsDescribedAndMayAnswerAProblem(Api api) {
        JsonNode paths = api.get("/v3/api-docs").expect(200).get("paths");
        assertThat(paths.propertyNames())
                .contains(
                        "/api/v1/jobs",
                        "/api/v1/jobs/{id}/result",
                        "/api/v1/best",
                        "/api/v1/leases",
                        "/api/v1/workers");
        paths.forEach(path -> path.forEach(operation -> {
            assertThat(operation.get("summary").asString()).isNotBlank();
            assertThat(operation.get("responses").get("default").get("content").has("application/problem+json"))
                    .isTrue();
        }));
    }

    @Test
    void metersHaveDescriptions(Api api) {
        String text = api.get("/actuator/prometheus").text();
        assertThat(text)
                .contains("# HELP tilewright_trials ")
                .contains("# HELP tilewright_leases_ended_total ")
                .contains("# HELP tilewright_workers_live ");
    }

    @Test
    void healthIsUpAndShowsTheLocalWorker(Api api) {
        JsonNode health = api.get("/actuator/health").expect(200);
        assertThat(health.get("status").asString()).isEqualTo("UP");
        assertThat(health.get("components")
                        .get("localWorker")
                        .get("details")
                        .get("state")
                        .asString())
                .isEqualTo("off");
        api.get("/actuator/health/readiness").expect(200);
    }
}
