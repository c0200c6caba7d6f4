package dev.tilewright.api.platform.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.ServeProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code serve --log-format json}: a line is a document, and says which job and study it is about. */
class JsonLogTest {

    @TempDir
    Path home;

    @Test
    void everyLineIsADocumentWithTheIdsOfWhatItIsAbout() throws Exception {
        ServeProcess serve = ServeProcess.start(
                home,
                Map.of("TILEWRIGHT_WORKER_TOKEN", RunningService.WORKER_TOKEN),
                "--port",
                "0",
                "--no-worker",
                "--log-format",
                "json");
        try {
            Api api = new Api(serve.url());
            String job = api.submit("simulated:h200", "random", 2, "640x384x256");
            ScriptedWorker worker = ScriptedWorker.simulated(api);
            Awaiting.until(() -> {
                worker.workOff(1000, 1);
                return api.job(job).get("state").asString().equals("finished");
            });
            String study = api.job(job).get("studies").get(0).get("id").asString();
            assertThat(api.send(api.request("/api/v1/jobs/" + job).DELETE()).status())
                    .isEqualTo(204);
            serve.process().destroy();
            assertThat(serve.process().onExit()).succeedsWithin(Duration.ofSeconds(60));
            List<JsonNode> lines = serve.output()
                    .lines()
                    .filter(line -> line.startsWith("{"))
                    .map(line -> JsonMapper.shared().readTree(line))
                    .toList();
            assertThat(serve.output().lines().filter(line -> line.contains(" INFO ")))
                    .as("lines of text")
                    .isEmpty();
            assertThat(lines)
                    .isNotEmpty()
                    .allSatisfy(
                            line -> assertThat(line.get("message").asString()).isNotBlank());
            assertThat(lines).anySatisfy(line -> {
                assertThat(line.get("message").asString()).isEqualTo("study " + study + ": over");
                assertThat(line.get("study").asString()).isEqualTo(study);
                assertThat(line.get("job").asString()).isEqualTo(job);
                assertThat(line.get("level").asString()).isEqualTo("INFO");
            });
            assertThat(lines).as("what a request is about").anySatisfy(line -> {
                assertThat(line.get("message").asString()).startsWith("job " + job + " was deleted");
                assertThat(line.get("job").asString()).isEqualTo(job);
            });
        } finally {
            serve.process().destroyForcibly();
        }
    }
}
