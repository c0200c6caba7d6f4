package dev.tilewright.api.best;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.Stored;
import dev.tilewright.model.trial.Testbed;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** A best config is stale when its GPUs have another driver now, and not while nobody knows. */
@ExtendWith(RunningService.class)
class StaleTest {

    private static JsonNode stale(Api api) {
        return api.get("/api/v1/best").expect(200).get("items").get(0).get("stale");
    }

    private static void offer(Api api, String device, String driver) {
        Testbed h200 = ScriptedWorker.H200;
        Testbed other = new Testbed(h200.kind(), device, driver, h200.assembler(), h200.smCount(), h200.clockPolicy());
        new ScriptedWorker(api, UUID.randomUUID(), "cuda:0", other).register();
    }

    @Test
    void anotherDriverMakesItStaleUntilTheOldOneIsThereToo(Api api, Service service) {
        new Stored(api, service).jobs(2, 1);
        assertThat(stale(api).isNull()).as("nobody offers a GPU").isTrue();
        offer(api, "NVIDIA B200", "590.2");
        assertThat(stale(api).isNull()).as("another model").isTrue();
        offer(api, "NVIDIA H200", "590.2");
        assertThat(stale(api).asString())
                .isEqualTo("measured with driver 580.1; workers offer NVIDIA H200 with driver 590.2");
        ScriptedWorker.cuda(api, 1);
        assertThat(stale(api).isNull()).as("one has its driver").isTrue();
        service.silence(Duration.ofSeconds(20));
        assertThat(stale(api).isNull()).as("all are gone").isTrue();
    }
}
