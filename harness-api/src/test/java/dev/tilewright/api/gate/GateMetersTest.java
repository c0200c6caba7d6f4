package dev.tilewright.api.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RunningService.class)
class GateMetersTest {

    private static double decided(Service service, String verdict) {
        Counter counter = service.bean(MeterRegistry.class)
                .find("tilewright.gates.decided")
                .tag("verdict", verdict)
                .counter();
        return counter == null ? 0 : counter.count();
    }

    @Test
    void aVerdictCountsOnceAndARunWithoutOneNever(Api api, Service service) {
        double passed = decided(service, "pass");
        double failed = decided(service, "fail");
        double unsure = decided(service, "inconclusive");
        GateScript gate = new GateScript(api, service);
        String run = gate.submit(",\"branch\":\"main\"", GateScript.gateCase("one"));
        gate.workOff(
                ScriptedWorker.cuda(api, 0),
                task -> task.measureEqual() ? GateAnswers.asAsked(task) : GateAnswers.slower(task, 3));
        assertThat(gate.finished(run).get("verdict").asString()).isEqualTo("fail");
        // Decided again, which is no second run.
        api.post("/api/v1/gate-runs/" + run + "/decisions", "{}").expect(200);
        // A model measures nothing.
        gate.submit(",\"device\":\"simulated:h200\"", GateScript.gateCase("one"));

        assertThat(decided(service, "fail")).isEqualTo(failed + 1);
        assertThat(decided(service, "pass")).isEqualTo(passed);
        assertThat(decided(service, "inconclusive")).isEqualTo(unsure);
    }
}
