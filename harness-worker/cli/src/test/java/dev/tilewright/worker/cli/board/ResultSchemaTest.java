package dev.tilewright.worker.cli.board;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The schema in {@code docs/} against sample documents, whole and damaged. */
class ResultSchemaTest {

    private Schema schema;

    @BeforeEach
    void load() throws IOException {
        String text = Files.readString(Path.of("..", "..", "docs", "result.schema.json"));
        schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(text);
    }

    private List<Error> errors(JsonNode document) {
        return schema.validate(document.toString(), InputFormat.JSON);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cuda.json", "simulated.json", "emulated.json"})
    void acceptsWhatTheApiWrites(String name) {
        assertThat(errors(Samples.document(name))).isEmpty();
    }

    @Test
    void aSweepMayBeMissing() {
        ObjectNode document = (ObjectNode) Samples.document("cuda.json");
        study(document).putNull("sweep");
        assertThat(errors(document)).isEmpty();
        study(document).remove("sweep");
        assertThat(errors(document)).isEmpty();
    }

    private void assertRefused(Consumer<ObjectNode> damage, String where) {
        ObjectNode document = (ObjectNode) Samples.document("cuda.json");
        damage.accept(document);
        assertThat(errors(document)).extracting(Error::toString).anyMatch(error -> error.contains(where));
    }

    private static ObjectNode study(ObjectNode document) {
        return (ObjectNode) document.get("studies").get(0);
    }

    private static ObjectNode trial(ObjectNode document) {
        return (ObjectNode) study(document).get("trials").get(0);
    }

    @Test
    void aCheckIsWholeOrNotThere() {
        ObjectNode document = (ObjectNode) Samples.document("emulated.json");
        ObjectNode checked = (ObjectNode) trial(document).get("checked");
        for (String field : List.copyOf(checked.propertyNames())) {
            JsonNode value = checked.remove(field);
            assertThat(errors(document)).as(field).extracting(Error::toString).anyMatch(error -> error.contains(field));
            checked.set(field, value);
        }
        assertThat(errors(document)).isEmpty();
        checked.put("verdict", "fine");
        assertThat(errors(document)).extracting(Error::toString).anyMatch(error -> error.contains("verdict"));
        trial(document).putNull("checked");
        assertThat(errors(document)).isEmpty();
    }

    @Test
    void evidenceIsWholeOrNotThere() {
        ObjectNode document = (ObjectNode) Samples.document("simulated.json");
        SchedulerEvidence evidence = new SchedulerEvidence(
                List.of(3, 1, 0),
                List.of(0L, 9L, 0L),
                List.of(80L, 40L, 0L),
                0.25,
                null,
                List.of(2, 0),
                2,
                List.of(2),
                List.of(List.of(0L, 30L, 30L, 50L, 55L, 80L), List.of(9L, 40L), List.of()));
        trial(document).set("evidence", Json.mapper().valueToTree(evidence));
        assertThat(errors(document)).isEmpty();
        ObjectNode written = (ObjectNode) trial(document).get("evidence");
        written.put("failedQueries", -1);
        assertThat(errors(document)).extracting(Error::toString).anyMatch(error -> error.contains("failedQueries"));
        written.putNull("failedQueries");
        written.putArray("stealsPerCluster");
        assertThat(errors(document)).isEmpty();
        written.putArray("heldSms").add(-1);
        assertThat(errors(document)).extracting(Error::toString).anyMatch(error -> error.contains("heldSms"));
        written.putArray("heldSms");
        written.putArray("tileNs").addArray().add(0).add(-1);
        assertThat(errors(document)).extracting(Error::toString).anyMatch(error -> error.contains("tileNs"));
        written.putNull("tileNs");
        assertThat(errors(document)).isEmpty();
        // As it was written before SMs could be held.
        written.remove("heldSms");
        written.remove("tileNs");
        assertThat(errors(document)).isEmpty();
        written.remove("tilesPerSm");
        assertThat(errors(document)).extracting(Error::toString).anyMatch(error -> error.contains("tilesPerSm"));
        trial(document).putNull("evidence");
        assertThat(errors(document)).isEmpty();
    }

    @Test
    void refusesEveryMissingOrWrongField() {
        assertRefused(document -> document.put("schemaVersion", 2), "schemaVersion");
        assertRefused(document -> document.remove("job"), "job");
        for (String field : List.of(
                "problem",
                "testbed",
                "space",
                "trials",
                "best",
                "ratioToDefault",
                "ratioToDefaultCi",
                "ratioToBestPeer",
                "ratioToBestPeerCi",
                "bestPeer")) {
            assertRefused(document -> study(document).remove(field), field);
        }
        for (String field : List.of(
                "id",
                "config",
                "outcome",
                "errorRatio",
                "registers",
                "spillBytes",
                "sharedBytes",
                "ptxHash",
                "cubinHash",
                "executed",
                "measurements",
                "tflops",
                "tilesPerSm",
                "log")) {
            assertRefused(document -> trial(document).remove(field), field);
        }
        for (String field : List.of("mode", "stage", "blocks", "medianNs", "ciLowNs", "ciHighNs", "tflops")) {
            assertRefused(
                    document ->
                            ((ObjectNode) trial(document).get("measurements").get(0)).remove(field),
                    field);
        }
        for (String field : List.of("m", "n", "k", "dtype", "groups", "batch", "types", "major", "scenario")) {
            assertRefused(document -> ((ObjectNode) study(document).get("problem")).remove(field), field);
        }
        for (String field : List.of("configs", "seconds", "configsPerSecond", "gpuBusyShare", "gpuSpinFlushShare")) {
            assertRefused(document -> ((ObjectNode) study(document).get("sweep")).remove(field), field);
        }
        assertRefused(document -> ((ObjectNode) study(document).get("sweep")).put("gpuBusyShare", "31 %"), "sweep");
        assertRefused(document -> trial(document).put("outcome", "fine"), "outcome");
        assertRefused(document -> trial(document).put("ptxHash", "123"), "ptxHash");
        assertRefused(document -> ((ObjectNode) study(document).get("testbed")).put("kind", "real"), "kind");
        assertRefused(document -> ((ObjectNode) study(document).get("best")).remove("kind"), "kind");
        for (String field : List.of("value", "low", "high", "blocks")) {
            assertRefused(
                    document -> ((ObjectNode)
                                    trial(document).get("measurements").get(0).get("ratioToAnchor"))
                            .remove(field),
                    field);
        }
        for (String field : List.of("stage", "question", "mode", "index", "reason")) {
            assertRefused(
                    document -> ((ObjectNode) study(document).get("discards").get(0)).remove(field), field);
        }
    }
}
