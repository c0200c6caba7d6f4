package dev.tilewright.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A range of M on a model through the whole of the real service, which dies between two phases. */
class RangeIT {

    private static final String JOB = """
            {"problems":[{"m":1,"mTo":200,"n":256,"k":128}],"seed":7,"budget":{"trials":4},"device":"simulated:h200"}""";

    private Installation installation = new Installation(Path.of("nowhere"), Path.of("nowhere"));

    @BeforeEach
    void place() throws IOException {
        installation = Installation.placed("range");
    }

    @AfterEach
    void leaveNothingBehind() {
        installation.destroy();
    }

    private Optional<JsonNode> inPhase(String job, String phase) throws IOException, InterruptedException {
        JsonNode now = installation.get("/api/v1/jobs/" + job);
        return now.get("ranges").get(0).get("phase").asString().equals(phase) ? Optional.of(now) : Optional.empty();
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void aServiceThatIsKilledGoesOnWithTheRangeAndLosesNothing() throws Exception {
        Process service = installation.serve();
        installation.await("service", installation::api);
        String job = installation.post("/api/v1/jobs", JOB).get("id").asString();
        JsonNode finds = installation.await("the finds", () -> inPhase(job, "finds"));
        service.destroyForcibly().waitFor();

        installation.serve();
        installation.await("service", installation::api);
        // The state of a job is read before its ranges: a table may be seen a moment before the end of its job.
        installation.await("the table", () -> inPhase(job, "over"));
        JsonNode over = installation.await(
                "the end of the job",
                () -> Optional.of(installation.get("/api/v1/jobs/" + job))
                        .filter(now -> !now.get("state").asString().equals("running")));

        assertThat(over.get("state").asString()).isEqualTo("finished");
        JsonNode table = over.get("ranges").get(0).get("table");
        assertThat(table.get("kernels").get(0).get("from").asInt()).isEqualTo(1);
        assertThat(table.get("kernels")
                        .valueStream()
                        .toList()
                        .getLast()
                        .get("to")
                        .asInt())
                .isEqualTo(200);
        assertThat(table.get("regret").get("checks")).hasSize(16);
        assertThat(table.get("regret").get("median").asDouble()).isBetween(0.0, 0.05);
        JsonNode result = installation.get("/api/v1/jobs/" + job + "/result");
        for (int i = 0; i < finds.get("studies").size(); i++) {
            assertThat(result.get("studies").get(i).get("id"))
                    .isEqualTo(finds.get("studies").get(i).get("id"));
        }
        assertThat(result.get("studies")).allSatisfy(study -> {
            assertThat(study.get("state").asString())
                    .as(study.get("problem").toString())
                    .isEqualTo("finished");
            assertThat(study.get("trials"))
                    .isNotEmpty()
                    .allSatisfy(trial -> assertThat(trial.get("outcome").asString())
                            .as(trial.get("log").asString())
                            .isEqualTo("completed"));
        });
    }
}
