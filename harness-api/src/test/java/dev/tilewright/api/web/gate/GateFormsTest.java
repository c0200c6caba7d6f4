package dev.tilewright.api.web.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.gate.GateAnswers;
import dev.tilewright.api.gate.GateScript;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.web.Visit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.web.util.HtmlUtils;
import tools.jackson.databind.JsonNode;

/** What is changed from the pages of gates. */
@ExtendWith(RunningService.class)
class GateFormsTest {

    private static JsonNode waivers(Api api) {
        return api.get(GateScript.GATE + "/waivers").expect(200).get("items");
    }

    @Test
    void aFailureIsAcceptedOnThePageOfItsCaseAndTakenBackOnThatOfItsGate(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String run = gate.submit(",\"branch\":\"main\"", GateScript.gateCase("one"));
        gate.workOff(
                ScriptedWorker.cuda(api, 0),
                task -> task.measureEqual() ? GateAnswers.asAsked(task) : GateAnswers.slower(task, 3));
        assertThat(gate.finished(run).get("verdict").asString()).isEqualTo("fail");
        String page = "/gate-runs/" + run + "/cases/0";
        String waive = page + "/waive";
        Visit visit = Visit.at(api, page);

        Map<String, String> asked = Map.of("reason", "pays for the epilogue", "expires", "2026-12-24");
        assertThat(visit.sendForged(waive, asked).status()).isEqualTo(403);
        Api.Answer noDay = visit.send(waive, Map.of("reason", "why <not>", "expires", "soon"));
        assertThat(noDay.status()).isEqualTo(422);
        assertThat(noDay.text())
                .contains(
                        "Last day: must be a day such as 2026-12-24, got &#39;soon&#39;", "value=\"why &lt;not&gt;\"");
        Api.Answer past = visit.send(waive, Map.of("reason", " ", "expires", "2020-01-01"));
        assertThat(past.text()).contains("Reason: must have 1 to 1000 characters", "Last day: must be after now");
        assertThat(waivers(api)).isEmpty();

        Api.Answer taken = visit.send(waive, asked);
        assertThat(taken.status()).isEqualTo(302);
        assertThat(taken.header("location")).endsWith("/gates/gemm");
        JsonNode waiver = waivers(api).get(0);
        assertThat(waiver.get("case").asString()).isEqualTo("one");
        assertThat(waiver.get("expiresAt").asString()).startsWith("2026-12-25T00:00:00");

        String back = "/gates/gemm/waivers/" + waiver.get("id").asString() + "/take-back";
        assertThat(visit.read("/gates/gemm")).contains("pays for the epilogue", "action=\"" + back + "\"");
        assertThat(visit.sendForged(back, Map.of()).status()).isEqualTo(403);
        assertThat(visit.send(back, Map.of()).status()).isEqualTo(302);
        assertThat(waivers(api)).isEmpty();
        assertThat(visit.send(back, Map.of()).status()).isEqualTo(404);
    }

    /** Its case can tell nothing, and a sentinel is nobody's kernel. */
    @Test
    void whatIsNotSlowerHasNoSuchForm(Api api, Service service) {
        String run = new GateScript(api, service).submit(",\"device\":\"simulated:h200\"", GateScript.gateCase("one"));
        Visit visit = Visit.at(api, "/check");
        assertThat(visit.read("/gate-runs/" + run + "/cases/0")).doesNotContain("/waive");
        assertThat(visit.send("/gate-runs/" + run + "/cases/0/waive", Map.of("reason", "x", "expires", "2026-12-24"))
                        .text())
                .contains("Module: must be 64 hexadecimal digits");
    }

    /** The form has what the newest run has measured, so that whoever changes nothing has just that run again. */
    @Test
    void aScheduleIsMadeChangedAndEndedOnThePageOfItsGate(Api api, Service service) {
        new GateScript(api, service).submit(",\"branch\":\"main\",\"commit\":\"4f1c2aa\"", GateScript.gateCase("one"));
        String path = GateScript.GATE + "/schedule";
        Visit visit = Visit.at(api, "/gates/gemm");
        String request = typed(visit.read("/gates/gemm"));
        assertThat(request)
                .contains("\"branch\": \"main\"", "\"scheduler\":\"static\"")
                .hasLineCount(8);

        String form = "/gates/gemm/schedule";
        Map<String, String> asked = Map.of("when", "DAILY|03:00", "request", request);
        assertThat(visit.sendForged(form, asked).status()).isEqualTo(403);
        String wrong = request.replace("\"k\":256", "\"k\":257");
        Api.Answer refused = visit.send(form, Map.of("when", "never", "request", wrong));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text())
                .contains(
                        "The gate was not scheduled",
                        "Runs at: must be such as DAILY|03:00",
                        "got &#39;never&#39;",
                        "What is run, at /cases/0/problem: k must be a multiple of 8, got 257",
                        "value=\"never\"");
        assertThat(typed(refused.text())).isEqualTo(wrong);
        api.get(path).problem(404);

        assertThat(visit.send(form, asked).status()).isEqualTo(302);
        JsonNode kept = api.get(path).expect(200);
        assertThat(kept.get("when").asString()).isEqualTo("DAILY|03:00");
        assertThat(kept.get("request").get("commit").asString()).isEqualTo("4f1c2aa");
        assertThat(visit.read("/gates")).contains("Schedules", "DAILY|03:00", "href=\"/gates/gemm\"");

        String other = typed(visit.read("/gates/gemm")).replace("\"main\"", "\"topic\"");
        assertThat(visit.send(form, Map.of("when", "FIXED_DELAY|7200s", "request", other))
                        .status())
                .isEqualTo(302);
        JsonNode moved = api.get(path).expect(200);
        assertThat(moved.get("when").asString()).isEqualTo("FIXED_DELAY|7200s");
        assertThat(moved.get("request").get("branch").asString()).isEqualTo("topic");

        assertThat(visit.sendForged(form + "/end", Map.of()).status()).isEqualTo(403);
        assertThat(visit.send(form + "/end", Map.of()).status()).isEqualTo(302);
        api.get(path).problem(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "{\"cases\": [} ! What is run, at /cases: Unexpected close marker &#39;}&#39;: expected &#39;]&#39; at line 1, column 12<",
                "{} ! What is run, at /cases: is required",
                "null ! What is run: is required",
                "{\"cases\": [], \"casse\": 1} ! What is run, at /casse: unknown property &#39;casse&#39;; known: ",
                "{\"cases\": [], \"seed\": \"x\"} ! What is run, at /seed: must be a whole number of 64 bits<",
            })
    void whatIsRunIsHeldToTheRulesOfABody(String request, String said, Api api, Service service) {
        new GateScript(api, service).submit("", GateScript.gateCase("one"));
        Api.Answer refused = Visit.at(api, "/gates/gemm")
                .send("/gates/gemm/schedule", Map.of("when", "DAILY|03:00", "request", request));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text()).contains(said);
        assertThat(typed(refused.text())).isEqualTo(request);
    }

    private static String typed(String page) {
        Matcher area = Pattern.compile("<textarea id=\"request\"[^>]*>([^<]*)</textarea>")
                .matcher(page);
        assertThat(area.find()).as(page).isTrue();
        return HtmlUtils.htmlUnescape(area.group(1));
    }
}
