package dev.tilewright.api.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What a gate cannot be asked is said before anything is queued, all of it at once. */
@ExtendWith(RunningService.class)
class GateRequestTest {

    private static final String OWN = "{\"family\":\"toy\",\"config\":" + GateScript.SECOND + "}";
    private static final String BASELINE = "{\"kernel\":" + OWN + "}";

    private static List<String> errors(Api api, String body) {
        List<String> errors =
                Api.errors(api.post(GateScript.GATE + "/runs", body).problem(422));
        assertThat(api.get("/api/v1/gates").expect(200).get("items"))
                .as("nothing is queued")
                .isEmpty();
        return errors;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | /cases/0/candidate: give one of config, trial and peer, got 0",
                "{\"peer\":\"cublaslt\",\"best\":true} | /cases/0/candidate: give one of config, trial, peer and best",
                "{\"best\":false} | /cases/0/candidate: give one of config, trial, peer and best",
                "{\"best\":true} | /cases/0/candidate/best: no best config of 640x384x256 bf16 is known for device auto",
                "{\"peer\":\"clblast\"} | /cases/0/candidate/peer: unknown peer 'clblast'; known: cublaslt",
                "{\"family\":\"bundle:nobody\"} | /cases/0/candidate/family: there is no bundle:nobody",
                "{\"family\":\"toy\",\"config\":{\"scheduler\":\"static\",\"tileM\":256,\"tileN\":128,\"rasterGroup\":1}}"
                        + " | /cases/0/candidate/config: accumulator: 32768 elements are more than 16384",
                "{\"trial\":\"00000000-0000-0000-0000-000000000001\"}"
                        + " | /cases/0/candidate/trial: there is no trial 00000000",
            })
    void aCandidateThatCannotBe(String candidate, String said, Api api) {
        assertThat(errors(api, GateScript.body("", GateScript.gateCase("one", candidate, BASELINE))))
                .anyMatch(error -> error.startsWith(said));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | /cases/0/baseline: give one of kernel, run and lastPass, got 0",
                "{\"lastPass\":\"main\",\"run\":\"00000000-0000-0000-0000-000000000001\"}"
                        + " | /cases/0/baseline: give one of kernel, run and lastPass, got 2",
                "{\"run\":\"00000000-0000-0000-0000-000000000001\"} | /cases/0/baseline/run: there is no run 00000000",
                "{\"lastPass\":\"main\"} | /cases/0/baseline/lastPass: no run of gate 'gemm' on branch 'main' has passed",
                "{\"kernel\":{\"peer\":\"clblast\"}} | /cases/0/baseline/kernel/peer: unknown peer 'clblast'",
            })
    void aBaselineThatCannotBe(String baseline, String said, Api api) {
        assertThat(errors(api, GateScript.body("", GateScript.gateCase("one", OWN, baseline))))
                .anyMatch(error -> error.startsWith(said));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ",\"device\":\"gpu\" | /device: unknown device 'gpu'; known: auto",
                ",\"device\":\"emulated\" | /device: must be a GPU, such as cuda:0, or auto",
                ",\"retuneSeconds\":19 | /retuneSeconds: must be from 20 to 86400, got 19",
                ",\"budgetSeconds\":0 | /budgetSeconds: must be above 0 and at most 86400.0, got 0.0",
                ",\"commit\":\" \" | /commit: must have 1 to 200 characters",
                ",\"speed\":1 | /speed: ",
            })
    void aRunThatCannotBe(String more, String said, Api api) {
        assertThat(errors(api, GateScript.body(more, GateScript.gateCase("one"))))
                .anyMatch(error -> error.startsWith(said));
    }

    @Test
    void aGateWithoutCasesIsNone(Api api) {
        assertThat(errors(api, GateScript.body(""))).containsExactly("/cases: must have from 1 to 500 cases, got 0");
    }

    @Test
    void allFaultsOfAllCasesComeAtOnce(Api api) {
        String wrongProblem = GateScript.gateCase("two", OWN, BASELINE).replace("\"k\":256", "\"k\":257");
        String wrongWeight = GateScript.gateCase("one").replaceFirst("\\{", "{\"weight\":0,");
        assertThat(errors(
                        api,
                        GateScript.body(
                                ",\"device\":\"cuda:x\"",
                                GateScript.gateCase("one", "{}", "{}"),
                                wrongProblem,
                                wrongWeight)))
                .anyMatch(error -> error.startsWith("/device: unknown device"))
                .anyMatch(error -> error.startsWith("/cases/0/baseline: give one of"))
                .anyMatch(error -> error.equals("/cases/1/problem: k must be a multiple of 8, got 257"))
                .anyMatch(error -> error.startsWith("/cases/2/weight: must be above 0"))
                .anyMatch(error -> error.equals("/cases/2/name: 'one' is the name of /cases/0, too"));
    }

    @Test
    void marginsHaveAnOrder(Api api) {
        String body = GateScript.body(
                "", GateScript.gateCase("one").replaceFirst("\\{", "{\"margins\":{\"warn\":2,\"fail\":1},"));
        assertThat(errors(api, body))
                .anyMatch(error -> error.startsWith("/cases/0/margins: margins are percentages with 0 < warn <= fail"));
    }

    @Test
    void aNameIsAPartOfAnAddress(Api api) {
        JsonNode problem = api.post("/api/v1/gates/-x/runs", GateScript.body("", GateScript.gateCase("one")))
                .problem(422);
        assertThat(Api.errors(problem)).anyMatch(error -> error.startsWith("name: must be 1 to 64 letters"));
    }

    @Test
    void aBaselineIsLookedUpWhenItIsAsked(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String first = gate.submit(",\"branch\":\"main\"", GateScript.gateCase("one"));
        gate.workOff(ScriptedWorker.cuda(api, 0), GateAnswers::asAsked);
        gate.finished(first);
        for (String baseline : List.of("{\"lastPass\":\"main\"}", "{\"run\":\"" + first + "\"}")) {
            String next = gate.submit("", GateScript.gateCase("one", OWN, baseline));
            JsonNode each = gate.only(next);
            assertThat(each.get("baseline").get("kernel").asString())
                    .isEqualTo(each.get("candidate").get("kernel").asString())
                    .startsWith("toy ");
        }
        assertThat(Api.errors(api.post(
                                GateScript.GATE + "/runs",
                                GateScript.body("", GateScript.gateCase("two", OWN, "{\"run\":\"" + first + "\"}")))
                        .problem(422)))
                .containsExactly("/cases/0/baseline/run: run " + first + " has no case 'two'");
    }
}
