package dev.tilewright.api.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.gate.schedule.GateSchedules;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Gates that run by themselves. The clock of these tests begins on a day at 10:00 UTC. */
@ExtendWith(RunningService.class)
class ScheduleTest {

    private static final String PATH = GateScript.GATE + "/schedule";

    private static Api.Answer put(Api api, String when, String request) {
        return api.send(api.request(PATH)
                .header("content-type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString("{\"when\":\"%s\",\"request\":%s}".formatted(when, request))));
    }

    private static JsonNode runs(Api api) {
        return api.get(GateScript.GATE + "/runs").expect(200).get("items");
    }

    private static void runDue(Service service) {
        service.bean(GateSchedules.class).runDue();
    }

    @Test
    void aGateRunsWhenItsTimeHasComeAndOnceForAllThatWentBy(Api api, Service service) throws Exception {
        String request = GateScript.body(",\"branch\":\"main\"", GateScript.gateCase("one"));
        JsonNode kept = put(api, "FIXED_DELAY|3600s", request).expect(200);
        assertThat(kept.get("author").asString()).isEqualTo("(anybody)");
        runDue(service);
        assertThat(runs(api)).as("not yet").isEmpty();

        service.clock().advance(Duration.ofHours(3).plusMinutes(5));
        Callable<Boolean> replica = () -> {
            runDue(service);
            return true;
        };
        try (var replicas = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var looked :
                    replicas.invokeAll(Stream.generate(() -> replica).limit(4).toList())) {
                assertThat(looked.get()).isTrue();
            }
        }
        assertThat(runs(api)).hasSize(1);
        JsonNode next = api.get(PATH).expect(200);
        assertThat(next.get("lastRun").asString())
                .isEqualTo(runs(api).get(0).get("id").asString());
        assertThat(Instant.parse(next.get("nextAt").asString()))
                .isEqualTo(service.clock().instant().plus(Duration.ofHours(1)));

        api.send(api.request(PATH).DELETE()).expect(204);
        service.clock().advance(Duration.ofHours(2));
        runDue(service);
        assertThat(runs(api)).hasSize(1);
        api.get(PATH).problem(404);
        api.send(api.request(PATH).DELETE()).problem(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "DAILY!03:00 | 03:00:00Z",
                "DAILY!03:00,15:30 | 15:30:00Z",
                "DAILY!03:00!Europe/Berlin | 02:00:00Z",
                "45 3 * * * | 03:45:00Z",
            })
    void aLineSaysWhen(String line, String next, Api api) {
        JsonNode kept = put(api, line.replace('!', '|'), GateScript.body("", GateScript.gateCase("one")))
                .expect(200);
        assertThat(kept.get("nextAt").asString()).endsWith(next);
    }

    @ParameterizedTest
    @CsvSource({
        "sometimes, /when: must be such as DAILY|03:00",
        "-, /when: must be such as DAILY|03:00",
        "DAILY|25:00, /when: must be such as DAILY|03:00",
        "FIXED_DELAY|5s, '/when: must leave at least 60 s between two runs, got ''FIXED_DELAY|5s'''",
    })
    void aLineThatSaysNothingIsRefused(String line, String said, Api api) {
        JsonNode problem =
                put(api, line, GateScript.body("", GateScript.gateCase("one"))).problem(422);
        assertThat(Api.errors(problem)).allMatch(error -> error.startsWith(said));
        api.get(PATH).problem(404);
    }

    @Test
    void aRequestThatCannotRunIsRefusedNow(Api api) {
        JsonNode problem = put(api, "DAILY|03:00", GateScript.body("")).problem(422);
        assertThat(Api.errors(problem)).containsExactly("/request/cases: must have from 1 to 500 cases, got 0");
    }

    @Test
    void whatCannotRunWhenItsTimeHasComeSaysWhy(Api api, Service service) {
        put(api, "FIXED_DELAY|3600s", GateScript.body("", GateScript.gateCase("one")))
                .expect(200);
        service.jdbc()
                .sql("update gate_schedule set request = jsonb_set(request, '{cases,0,problem,k}', '257')")
                .update();
        service.clock().advance(Duration.ofHours(2));
        runDue(service);
        assertThat(runs(api)).isEmpty();
        JsonNode schedule = api.get(PATH).expect(200);
        assertThat(schedule.get("lastError").asString())
                .isEqualTo("/cases/0/problem: k must be a multiple of 8, got 257");
        assertThat(schedule.has("lastRun")).isFalse();
    }
}
