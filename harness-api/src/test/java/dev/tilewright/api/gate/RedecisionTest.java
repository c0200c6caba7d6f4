package dev.tilewright.api.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Stored blocks decided again. */
@ExtendWith(RunningService.class)
class RedecisionTest {

    private static String failed(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit("", GateScript.gateCase("one"));
        gate.workOff(
                ScriptedWorker.cuda(api, 0),
                task -> task.measureEqual() ? GateAnswers.asAsked(task) : GateAnswers.slower(task, 3));
        assertThat(gate.finished(id).get("verdict").asString()).isEqualTo("fail");
        return id;
    }

    private static Api.Answer again(Api api, String id, String request) {
        return api.post("/api/v1/gate-runs/" + id + "/decisions", request);
    }

    @Test
    void theSameRuleSaysTheSame(Api api, Service service) {
        String id = failed(api, service);
        JsonNode run = api.get("/api/v1/gate-runs/" + id).expect(200);
        JsonNode again = again(api, id, "{}").expect(200);
        assertThat(again.get("cases")).isEqualTo(run.get("cases"));
        assertThat(again.get("sentinels")).isEqualTo(run.get("sentinels"));
        assertThat(again.get("verdict")).isEqualTo(run.get("verdict"));
        assertThat(again.get("reason")).isEqualTo(run.get("reason"));
    }

    @Test
    void widerMarginsLetItPassAndNothingIsStored(Api api, Service service) {
        String id = failed(api, service);
        JsonNode again = again(api, id, "{\"margins\":{\"warn\":4,\"fail\":5}}").expect(200);
        assertThat(again.get("verdict").asString()).isEqualTo("pass");
        assertThat(again.get("cases").get(0).get("margins").get("fail").asDouble())
                .isEqualTo(5);
        assertThat(again.get("sentinels").get(1).get("verdict").asString())
                .as("sentinels keep theirs")
                .isEqualTo("fail");
        JsonNode between =
                again(api, id, "{\"margins\":{\"warn\":2,\"fail\":5}}").expect(200);
        assertThat(between.get("verdict").asString()).isEqualTo("warn");
        assertThat(api.get("/api/v1/gate-runs/" + id).expect(200).get("verdict").asString())
                .isEqualTo("fail");
    }

    @Test
    void whereNothingWasMeasuredTheReasonStays(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit(",\"device\":\"simulated:h200\"", GateScript.gateCase("one"));
        JsonNode run = gate.finished(id);
        assertThat(run.get("cases").get(0).get("reason").asString()).contains("simulated:h200 is a model");
        JsonNode again = again(api, id, "{\"margins\":{\"warn\":4,\"fail\":5}}").expect(200);
        assertThat(again.get("verdict").asString()).isEqualTo("inconclusive");
        assertThat(again.get("cases").get(0).get("reason"))
                .isEqualTo(run.get("cases").get(0).get("reason"));
    }

    @Test
    void moreBlocksThanThereAreSayNothing(Api api, Service service) {
        String id = failed(api, service);
        JsonNode again = again(api, id, "{\"looks\":[100]}").expect(200);
        assertThat(again.get("verdict").asString()).isEqualTo("inconclusive");
        assertThat(again.get("cases").get(0).get("reason").asString()).contains("the first look is at 100");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"looks\":[]} | /looks: looks are at 2 to 10000 blocks",
                "{\"looks\":[40,20]} | /looks: looks are at 2 to 10000 blocks",
                "{\"error\":0.7} | /error: an error is a probability above 0 and below 0.5, got 0.7",
                "{\"margins\":{\"warn\":0,\"fail\":1}} | /margins: margins are percentages",
            })
    void aRuleThatIsNoneIsRefused(String request, String said, Api api, Service service) {
        String id = failed(api, service);
        assertThat(Api.errors(again(api, id, request).problem(422))).anyMatch(error -> error.startsWith(said));
    }

    @Test
    void onlyAFinishedRunIsDecidedAgain(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit("", GateScript.gateCase("one"));
        assertThat(Api.errors(again(api, id, "{}").problem(422)))
                .containsExactly(": only a finished run is decided again: this one is queued");
        again(api, "00000000-0000-0000-0000-000000000001", "{}").problem(404);
    }

    @Test
    void theRawBlocksAreThere(Api api, Service service) {
        String id = failed(api, service);
        JsonNode stages =
                api.get("/api/v1/gate-runs/" + id + "/blocks").expect(200).get("stages");
        assertThat(stages.valueStream().map(stage -> stage.get("case").asString() + " " + stage.get("number")))
                .containsExactly("one 1", "one 2", "sentinel-equal 1", "sentinel-slowed 1");
        JsonNode first = stages.get(0);
        assertThat(first.get("seed").asLong()).isEqualTo(7);
        assertThat(first.get("blocks").get("candidateFirst").valueStream().limit(4))
                .extracting(JsonNode::asBoolean)
                .containsExactly(true, false, false, true);
        double ratio = first.get("blocks").get("candidateNs").get(5).asDouble()
                / first.get("blocks").get("baselineNs").get(5).asDouble();
        assertThat(ratio).isBetween(1.02, 1.04);
        assertThat(first.get("blocks").get("watts").get(0).asDouble()).isEqualTo(650);
    }
}
