package dev.tilewright.api.openapi;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

@ExtendWith(RunningService.class)
class OpenApiTest {

    private static final Path COMMITTED = Path.of("../docs/openapi.json");

    /** {@code -Dopenapi.accept=true} writes the file anew; the next build puts it into the jar. */
    @Test
    void theCommittedDocumentIsWhatTheCodeSays(Api api) throws IOException {
        JsonMapper sorted = JsonMapper.builder()
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, SerializationFeature.INDENT_OUTPUT)
                .build();
        JsonNode now = api.get("/v3/api-docs/generated").expect(200);
        String text = sorted.writeValueAsString(sorted.treeToValue(now, Object.class)) + "\n";
        if (Boolean.getBoolean("openapi.accept")) {
            Files.writeString(COMMITTED, text);
        }
        assertThat(Files.readString(COMMITTED)).isEqualTo(text);
    }

    @Test
    void theServiceAnswersTheCommittedDocument(Api api) throws IOException {
        assertThat(api.get("/v3/api-docs").text()).isEqualTo(Files.readString(COMMITTED));
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

    /** What the Javadoc of a record does not tell of a component, and no annotation of a parameter, nobody reads. */
    @Test
    void allThatMayBeSentIsDescribed(Api api) {
        JsonNode document = api.get("/v3/api-docs").expect(200);
        List<String> silent = new ArrayList<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .forEach(operation -> operation.path("parameters").forEach(parameter -> {
                            if (!parameter.has("description")) {
                                silent.add(path.getKey() + ": "
                                        + parameter.get("name").asString());
                            }
                        })));
        Map<String, JsonNode> bodies = bodies(document);
        assertThat(bodies).hasSizeGreaterThan(40).containsKeys("BudgetRequest", "Case", "ReportBatch", "TrialResult");
        bodies.forEach((name, schema) -> {
            // It is of the form and not of a record: which of them an object is.
            String form = schema.at("/discriminator/propertyName").asString("");
            for (JsonNode properties : schema.findValues("properties")) {
                properties.properties().forEach(property -> {
                    if (!property.getKey().equals(form) && !property.getValue().has("description")) {
                        silent.add(name + "." + property.getKey());
                    }
                });
            }
        });
        assertThat(silent).isEmpty();
    }

    /** The schemas of all that is sent, and of all that is in it. */
    private static Map<String, JsonNode> bodies(JsonNode document) {
        JsonNode schemas = document.get("components").get("schemas");
        Map<String, JsonNode> bodies = new TreeMap<>();
        Deque<JsonNode> open = new ArrayDeque<>(document.get("paths").findValues("requestBody"));
        while (!open.isEmpty()) {
            for (JsonNode reference : open.remove().findValues("$ref")) {
                String name = reference.asString().substring("#/components/schemas/".length());
                if (bodies.putIfAbsent(name, schemas.get(name)) == null) {
                    open.add(schemas.get(name));
                }
            }
        }
        return bodies;
    }

    @Test
    void wordsArePlainText(Api api) {
        JsonNode schemas = api.get("/v3/api-docs").expect(200).get("components").get("schemas");
        assertThat(schemas.findValues("description").stream()
                        .filter(JsonNode::isString)
                        .map(JsonNode::asString))
                .hasSizeGreaterThan(300)
                .allSatisfy(words -> assertThat(words).doesNotContain("{@", "<", "&", "\n"));
        assertThat(schemas.at("/JobRequest/description").asString())
                .isEqualTo("The request that a user submits; everything but problems may be left out.");
        assertThat(schemas.at("/ReportBatch/properties/reports/description").asString())
                .isEqualTo("from 1 to 64, the oldest first");
        assertThat(schemas.at("/TrialDocument/properties/tflops/description").asString())
                .isEqualTo("of its lastSustained measurement; null if it was not measured, or is not believed");
        assertThat(schemas.at("/Compared/description").asString()).isEqualTo("Outcome of Compare.");
        assertThat(schemas.at("/WaiverRequest/properties/case/description").asString())
                .isEqualTo("name of the case");
    }

    /**
     * A schema is named by the simple name of its record: of two records of one name the document shows but one.
     * Private ones and those of repositories answer nobody, and the problem document of an error has a name and a
     * schema of its own.
     */
    @Test
    void noTwoRecordsHaveTheNameOfOneSchema(Api api) {
        Set<String> schemas = Set.copyOf(api.get("/v3/api-docs")
                .expect(200)
                .get("components")
                .get("schemas")
                .propertyNames());
        Map<String, List<String>> records = new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("dev.tilewright.api", "dev.tilewright.model")
                        .stream()
                        .filter(type -> type.isRecord()
                                && schemas.contains(type.getSimpleName())
                                && !type.getModifiers().contains(JavaModifier.PRIVATE)
                                && !type.getName().contains("Repository$")
                                && !type.getPackageName().endsWith(".platform.http"))
                        .collect(groupingBy(
                                JavaClass::getSimpleName, TreeMap::new, mapping(JavaClass::getName, toList())));
        assertThat(records)
                .hasSizeGreaterThan(30)
                .allSatisfy((name, types) -> assertThat(types).as(name).hasSize(1));
    }

    @Test
    void problemsOfErrorsAreNotProblemsToTune(Api api) {
        JsonNode schemas = api.get("/v3/api-docs").expect(200).get("components").get("schemas");
        assertThat(schemas.at("/Lease/properties/problem/$ref").asString()).endsWith("/Problem");
        assertThat(schemas.at("/Problem/properties").propertyNames()).contains("groups", "types");
        assertThat(schemas.at("/ProblemDetail/properties/status/type").asString())
                .isEqualTo("integer");
        assertThat(schemas.at("/BestConfigs/properties").propertyNames())
                .containsExactlyInAnyOrder("note", "nearest", "items");
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
