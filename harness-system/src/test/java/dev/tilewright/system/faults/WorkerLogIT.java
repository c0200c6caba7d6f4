package dev.tilewright.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code serve --log-format json} hands the option on: what its worker says of a study has the ids of it. */
class WorkerLogIT {

    private Installation installation = new Installation(Path.of("nowhere"), Path.of("nowhere"));

    @BeforeEach
    void place() throws IOException {
        installation = Installation.placed("worker-log");
    }

    @AfterEach
    void leaveNothingBehind() {
        installation.destroy();
    }

    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void aLineOfTheWorkerHasTheIdsOfJobStudyAndTrial() throws Exception {
        Process service = installation.serve("simulated:h200", Map.of(), "--log-format", "json");
        installation.await("a service", installation::service);
        String job = installation.post("/api/v1/jobs", """
                        {"problems":[{"m":640,"n":384,"k":256}],"strategy":"random","budget":{"trials":2},
                        "device":"simulated:h200"}""").get("id").asString();
        JsonNode over = installation.await(
                "a finished job",
                () -> Optional.of(installation.get("/api/v1/jobs/" + job))
                        .filter(found -> found.get("state").asString().equals("finished")));
        String study = over.get("studies").get(0).get("id").asString();

        List<JsonNode> lines = Files.readAllLines(installation.home().resolve("logs/worker.log")).stream()
                // The JVM itself knows no format.
                .filter(line -> line.startsWith("{"))
                .map(line -> JsonMapper.shared().readTree(line))
                .toList();
        assertThat(lines).anySatisfy(line -> {
            assertThat(line.get("message").asString())
                    .isEqualTo("simulated:h200 works on study " + study + ": 640x384x256");
            assertThat(line.get("job").asString()).isEqualTo(job);
            assertThat(line.get("study").asString()).isEqualTo(study);
            assertThat(installation
                            .get("/api/v1/trials/" + line.get("trial").asString())
                            .get("studyId")
                            .asString())
                    .isEqualTo(study);
        });

        service.destroy();
        assertThat(service.waitFor(60, TimeUnit.SECONDS)).isTrue();
        FileSystemUtils.deleteRecursively(installation.home());
    }
}
