package dev.tilewright.api.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Failures that somebody has accepted. */
@ExtendWith(RunningService.class)
class WaiverTest {

    private static final String PATH = GateScript.GATE + "/waivers";

    /** A run whose only case is 3 % slower. */
    private static JsonNode slow(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit(",\"branch\":\"main\"", GateScript.gateCase("one"));
        gate.workOff(
                ScriptedWorker.cuda(api, 0),
                task -> task.measureEqual() ? GateAnswers.asAsked(task) : GateAnswers.slower(task, 3));
        return gate.finished(id);
    }

    private static String cubin(JsonNode run) {
        return run.get("cases").get(0).get("candidate").get("cubinHash").asString();
    }

    private static Api.Answer waive(Api api, String caseName, String cubin, String reason, Instant expiresAt) {
        String body = """
                {"case":"%s","cubinHash":"%s","reason":"%s","expiresAt":"%s"}""".formatted(caseName, cubin, reason, expiresAt);
        return api.post(PATH, body);
    }

    @Test
    void aWaivedFailureIsShownAsOneAndDoesNotFailTheRunUntilItsEnd(Api api, Service service) {
        Instant now = service.clock().instant();
        JsonNode failed = slow(api, service);
        assertThat(failed.get("verdict").asString()).isEqualTo("fail");
        JsonNode waiver = waive(api, "one", cubin(failed), "pays for the epilogue", now.plus(Duration.ofDays(30)))
                .expect(201);
        assertThat(waiver.get("author").asString()).isEqualTo("(anybody)");

        JsonNode waived = slow(api, service);
        assertThat(waived.get("verdict").asString()).isEqualTo("pass");
        JsonNode each = waived.get("cases").get(0);
        assertThat(each.get("verdict").asString()).isEqualTo("fail");
        assertThat(each.get("waiver").get("reason").asString()).isEqualTo("pays for the epilogue");
        assertThat(each.get("waiver").get("case").asString()).isEqualTo("one");
        assertThat(api.post("/api/v1/gate-runs/" + failed.get("id").asString() + "/decisions", "{}")
                        .expect(200)
                        .get("verdict")
                        .asString())
                .as("the earlier run, decided now")
                .isEqualTo("pass");

        service.clock().advance(Duration.ofDays(31));
        assertThat(slow(api, service).get("verdict").asString()).isEqualTo("fail");
        assertThat(api.get(PATH).expect(200).get("items"))
                .as("it is still listed")
                .hasSize(1);
    }

    @Test
    void aWaiverIsTakenBack(Api api, Service service) {
        JsonNode failed = slow(api, service);
        Instant end = service.clock().instant().plus(Duration.ofDays(1));
        String id = waive(api, "one", cubin(failed), "for now", end)
                .expect(201)
                .get("id")
                .asString();
        api.send(api.request(PATH + "/" + id).DELETE()).expect(204);
        api.send(api.request(PATH + "/" + id).DELETE()).problem(404);
        assertThat(slow(api, service).get("verdict").asString()).isEqualTo("fail");
    }

    @Test
    void anotherModuleIsNotCovered(Api api, Service service) {
        JsonNode failed = slow(api, service);
        Instant end = service.clock().instant().plus(Duration.ofDays(1));
        String other =
                failed.get("cases").get(0).get("baseline").get("cubinHash").asString();
        assertThat(Api.errors(waive(api, "one", other, "slip", end).problem(422)))
                .allMatch(error -> error.startsWith("/cubinHash: no run of gate 'gemm' has measured a case 'one'"));
        assertThat(Api.errors(waive(api, "two", cubin(failed), "slip", end).problem(422)))
                .allMatch(error -> error.startsWith("/cubinHash: no run of gate 'gemm' has measured a case 'two'"));
    }

    @Test
    void allThatIsWrongWithAWaiverIsSaidAtOnce(Api api, Service service) {
        Instant now = service.clock().instant();
        assertThat(Api.errors(waive(api, "one", "abc", " ", now).problem(422)))
                .anyMatch(error -> error.startsWith("/reason: must have 1 to 1000 characters"))
                .anyMatch(error -> error.startsWith("/expiresAt: must be after now, " + now))
                .anyMatch(error -> error.equals("/cubinHash: must be 64 hexadecimal digits in lower case, got 'abc'"));
        assertThat(Api.errors(waive(api, "one", "abc", "long", now.plus(Duration.ofDays(366)))
                        .problem(422)))
                .anyMatch(error -> error.startsWith("/expiresAt: must be after now"));
        assertThat(Api.errors(api.post(PATH, "{\"cubinHash\":\"a\"}").problem(422)))
                .contains("/case: is required", "/reason: is required", "/expiresAt: is required");
    }
}
