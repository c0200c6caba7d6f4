package dev.tilewright.api.study.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Trials that are kept for the twins of the best; which twins are asked for is a rule of {@code DecisionTest}. */
@ExtendWith(RunningService.class)
class TwinsTest {

    private static final int TRIALS = 16;

    private static Config config(Lease lease) {
        return ((Work.Screen) lease.work()).config();
    }

    @Test
    void whatIsKeptForTwinsIsTheSearchsWhereNoneIsLeft(Api api) {
        String id = api.submit("simulated:h200", "model", TRIALS, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Set<Config> asked = new HashSet<>();
        double ns = 1000;
        for (List<Lease> granted = worker.lease(TRIALS); !granted.isEmpty(); granted = worker.lease(TRIALS)) {
            for (Lease lease : granted) {
                assertThat(asked.add(config(lease))).isTrue();
                worker.complete(lease, ns++);
            }
        }
        assertThat(asked).hasSize(TRIALS);
        assertThat(api.job(id).get("state").asString()).isEqualTo("finished");
    }
}
