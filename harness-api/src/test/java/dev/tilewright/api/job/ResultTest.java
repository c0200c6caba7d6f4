package dev.tilewright.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.Stored;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** The result of a job: as much of it as is asked for, and not too many long ones at once. */
@ExtendWith(RunningService.class)
class ResultTest {

    private static List<Integer> ordinals(JsonNode study) {
        return study.get("trials")
                .valueStream()
                .map(trial -> trial.get("ordinal").asInt())
                .toList();
    }

    @Test
    void trialsComeInParts(Api api) {
        String id = api.submit("simulated:h200", "random", 7, "640x384x256", "128x256x512");
        ScriptedWorker.simulated(api).workOff(900, 1);
        String path = "/api/v1/jobs/" + id + "/result";
        JsonNode whole = api.get(path).expect(200);
        assertThat(whole.get("studies"))
                .hasSize(2)
                .allSatisfy(study -> assertThat(ordinals(study)).containsExactly(0, 1, 2, 3, 4, 5, 6));
        JsonNode part = api.get(path + "?trials=3&from=2").expect(200);
        assertThat(part.get("studies"))
                .allSatisfy(study -> assertThat(ordinals(study)).containsExactly(2, 3, 4));
        assertThat(ordinals(api.get(path + "?from=5").expect(200).get("studies").get(1)))
                .containsExactly(5, 6);
        JsonNode none = api.get(path + "?trials=0").expect(200);
        assertThat(none.get("studies"))
                .allSatisfy(study -> assertThat(ordinals(study)).isEmpty());
        assertThat(none.at("/studies/1/best")).isEqualTo(whole.at("/studies/1/best"));
        assertThat(none.get("job")).isEqualTo(whole.get("job"));
        assertThat(none.at("/studies/1/counts/completed").asInt()).isEqualTo(7);
    }

    @Test
    void negativeNumbersAreRefusedByName(Api api) {
        String path = "/api/v1/jobs/" + api.submit("auto", "random", 1, "8x16x24") + "/result";
        assertThat(Api.errors(api.get(path + "?trials=-1").problem(400)))
                .containsExactly("trials: must not be negative, got -1");
        assertThat(Api.errors(api.get(path + "?from=-2").problem(400)))
                .containsExactly("from: must not be negative, got -2");
    }

    @Test
    void whoTakesGzipGetsIt(Api api) throws IOException, InterruptedException {
        String id = api.submit("simulated:h200", "random", 9, "640x384x256");
        ScriptedWorker.simulated(api).workOff(900, 1);
        String path = "/api/v1/jobs/" + id + "/result";
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<InputStream> packed = client.send(
                    api.request(path).header("accept-encoding", "gzip").build(),
                    HttpResponse.BodyHandlers.ofInputStream());
            assertThat(packed.headers().firstValue("content-encoding")).contains("gzip");
            try (InputStream body = new GZIPInputStream(packed.body())) {
                assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8))
                        .isEqualTo(api.get(path).text());
            }
        }
        assertThat(api.get(path).header("content-encoding")).isEmpty();
    }

    @Test
    void oneTooManyOfTheLongOnesIsSentAway(Api api, Service service) throws IOException, InterruptedException {
        Stored.Large large = new Stored(api, service).study(ScriptedWorker.simulated(api), 8000);
        String path = "/api/v1/jobs/" + large.job() + "/result";
        List<InputStream> slow = new ArrayList<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (int i = 0; i < 4; i++) {
                HttpResponse<InputStream> answer =
                        client.send(api.request(path).build(), HttpResponse.BodyHandlers.ofInputStream());
                assertThat(answer.statusCode()).isEqualTo(200);
                slow.add(answer.body());
            }
            Api.Answer fifth = api.get(path);
            fifth.problem(503);
            assertThat(fifth.header("retry-after")).isEqualTo("1");
            assertThat(api.get(path + "?trials=1000").expect(200).at("/studies/0/trials"))
                    .as("a short one has its turn")
                    .hasSize(1000);
            // Nobody holds a connection to the database for those who do not read.
            assertThat(api.job(large.job()).get("state").asString()).isEqualTo("running");
            for (InputStream body : slow) {
                body.close();
            }
        }
        Awaiting.until(() -> api.get(path).status() == 200);
        assertThat(api.get(path).expect(200).at("/studies/0/trials")).hasSize(8500);
    }
}
