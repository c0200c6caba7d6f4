package dev.tilewright.api.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(RunningService.class)
class TrendTest {

    private static final int RUNS = 12;

    @Test
    void aChangeOfABranchIsSeenAtTheRunThatBroughtIt(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < 2 * RUNS; i++) {
            double percent = i < RUNS ? -2 : -1;
            runs.add(api.post(
                            GateScript.GATE + "/runs",
                            GateScript.body(
                                            ",\"branch\":\"main\",\"commit\":\"c%d\"".formatted(i),
                                            GateScript.gateCase("one"))
                                    .replace("\"seed\":7", "\"seed\":" + (2 * i + 1)))
                    .expect(202)
                    .get("id")
                    .asString());
            gate.workOff(
                    gpu, task -> task.measureEqual() ? GateAnswers.asAsked(task) : GateAnswers.slower(task, percent));
        }
        gate.submit(",\"branch\":\"topic\"", GateScript.gateCase("one"));
        gate.workOff(gpu, GateAnswers::asAsked);

        JsonNode series = api.get(GateScript.GATE + "/trend?branch=main&case=one")
                .expect(200)
                .get("series");
        assertThat(series).hasSize(1);
        assertThat(series.get(0).get("gpu").asString()).isEqualTo("NVIDIA H200");
        assertThat(series.get(0)
                        .get("points")
                        .valueStream()
                        .map(point -> point.get("run").asString()))
                .containsExactlyElementsOf(runs);
        JsonNode changes = series.get(0).get("changes");
        assertThat(changes).as(changes.toPrettyString()).hasSize(1);
        assertThat(changes.get(0).get("commit").asString()).isEqualTo("c" + RUNS);
        assertThat(changes.get(0).get("before").asDouble()).isEqualTo(-2, within(0.1));
        assertThat(changes.get(0).get("after").asDouble()).isEqualTo(-1, within(0.1));
        assertThat(api.get(GateScript.GATE + "/trend?case=two").expect(200).get("series"))
                .isEmpty();
    }
}
