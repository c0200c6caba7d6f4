package dev.tilewright.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(RunningService.class)
class EventTest {

    private record Event(long id, String type, JsonNode data) {}

    /** Reads until the service ends the stream. */
    private static List<Event> listen(Api api, String job, String lastEventId) throws IOException {
        URLConnection connection =
                api.uri("/api/v1/jobs/" + job + "/events").toURL().openConnection();
        connection.setReadTimeout(120_000);
        connection.setRequestProperty("accept", "text/event-stream");
        if (!lastEventId.isEmpty()) {
            connection.setRequestProperty("Last-Event-ID", lastEventId);
        }
        List<Event> events = new ArrayList<>();
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(connection.getContentType()).startsWith("text/event-stream");
            String id = "";
            String type = "";
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith("id:")) {
                    id = line.substring(3);
                } else if (line.startsWith("event:")) {
                    type = line.substring(6);
                } else if (line.startsWith("data:")) {
                    events.add(new Event(Long.parseLong(id), type, api.mapper().readTree(line.substring(5))));
                }
            }
        }
        return events;
    }

    @Test
    void aListenerSeesEveryEventInOrderUntilTheLast(Api api) throws Exception {
        String job = api.submit("simulated:h200", "random", 5, "640x384x256");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<List<Event>> listening = threads.submit(() -> listen(api, job, ""));
            assertThat(ScriptedWorker.simulated(api).workOff(1000, -10)).isEqualTo(5);
            List<Event> events = listening.get();
            assertThat(events)
                    .extracting(Event::type)
                    .containsExactly(
                            "job.created",
                            "study.started",
                            "study.asked",
                            "trial.finished",
                            "trial.finished",
                            "trial.finished",
                            "trial.finished",
                            "trial.finished",
                            "study.finished",
                            "job.finished");
            assertThat(events).extracting(Event::id).isSorted().doesNotHaveDuplicates();
            JsonNode last = events.get(7).data();
            assertThat(last.get("finished").asInt()).isEqualTo(5);
            assertThat(last.get("trialBudget").asInt()).isEqualTo(5);
            assertThat(last.get("outcome").asString()).isEqualTo("completed");
            assertThat(last.get("fastestScreenTflops").asDouble())
                    .isEqualTo(last.get("tflops").asDouble());
            assertThat(events.get(1).data().get("mostTrials").asInt()).isEqualTo(5);
            assertThat(events.get(1).data().get("testbed").get("kind").asString())
                    .isEqualTo("simulated");
        }
    }

    @Test
    void aListenerGoesOnWhereItStopped(Api api) throws IOException {
        String job = api.submit("simulated:h200", "random", 3, "640x384x256");
        ScriptedWorker.simulated(api).workOff(1000, 10);
        List<Event> all = listen(api, job, "");
        String third = Long.toString(all.get(2).id());
        assertThat(listen(api, job, third)).isEqualTo(all.subList(3, all.size()));
        assertThat(listen(api, job, Long.toString(all.getLast().id()))).isEmpty();
    }

    @Test
    void aCancelledJobSaysSoAtTheEnd(Api api) throws IOException {
        String job = api.submit("simulated:h200", "random", 3, "640x384x256");
        api.post("/api/v1/jobs/" + job + "/cancel", "").expect(200);
        assertThat(listen(api, job, ""))
                .extracting(Event::type)
                .containsExactly("job.created", "study.finished", "job.cancelled");
    }

    @Test
    void aPlaceThatIsNoNumberIsRefused(Api api) {
        String job = api.submit("simulated:h200", "random", 3, "640x384x256");
        api.send(api.request("/api/v1/jobs/" + job + "/events").GET().header("Last-Event-ID", "x"))
                .problem(400);
    }
}
