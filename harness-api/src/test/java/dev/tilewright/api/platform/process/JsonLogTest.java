package dev.tilewright.api.platform.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.ServeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code serve --log-format json}: every line is an object, with the ids of what it is about. */
class JsonLogTest {

    @TempDir
    private Path home;

    private static JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            String body = http.send(request.build(), HttpResponse.BodyHandlers.ofString())
                    .body();
            return JsonMapper.shared().readTree(body.isEmpty() ? "{}" : body);
        }
    }

    private static List<JsonNode> lines(ServeProcess serve) {
        try {
            return serve.output()
                    .lines()
                    .map(line -> JsonMapper.shared().readTree(line))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void linesAreObjectsWithTheIdOfTheJobThatARequestIsAbout() throws Exception {
        ServeProcess serve = ServeProcess.start(home, Map.of(), "--port", "0", "--no-worker", "--log-format", "json");
        try {
            String jobs = serve.url() + "/api/v1/jobs";
            String job = send(HttpRequest.newBuilder(URI.create(jobs))
                            .header("content-type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(
                                    "{\"problems\":[{\"m\":640,\"n\":384,\"k\":256}],\"device\":\"simulated:h200\"}")))
                    .get("id")
                    .asString();
            send(HttpRequest.newBuilder(URI.create(jobs + "/" + job + "/cancel"))
                    .POST(HttpRequest.BodyPublishers.noBody()));
            send(HttpRequest.newBuilder(URI.create(jobs + "/" + job)).DELETE());
            Awaiting.until(() -> lines(serve).stream()
                    .anyMatch(line -> line.get("message").asString().contains("was deleted")));
            JsonNode deleted = lines(serve).stream()
                    .filter(line -> line.get("message").asString().contains("was deleted"))
                    .findFirst()
                    .orElseThrow();
            assertThat(deleted.get("job").asString()).isEqualTo(job);
            assertThat(deleted.get("level").asString()).isEqualTo("INFO");
            assertThat(deleted.get("logger_name").asString()).endsWith("JobRemoval");
            assertThat(lines(serve))
                    .filteredOn(line -> line.get("message").asString().startsWith("listening at "))
                    .singleElement()
                    .satisfies(line -> assertThat(line.has("job")).isFalse());
        } finally {
            serve.process().destroy();
            serve.process().waitFor();
        }
    }
}
