package dev.tilewright.api.study.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.family.FamilySpace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The best config of a sweep is timed under the other tile schedulers too, and no GPU waits for that. */
@ExtendWith(RunningService.class)
class TwinsTest {

    private static final int TRIALS = 16;
    private static final int FEW = 8;

    private static Config config(Lease lease) {
        return ((Work.Screen) lease.work()).config();
    }

    private static Config withoutScheduler(Config config) {
        return config.only(config.values().keySet().stream()
                .filter(name -> !name.equals(FamilySpace.SCHEDULER))
                .toList());
    }

    /** Takes one out whose twin was not asked for yet. */
    private static Lease withoutTwin(List<Lease> held, Set<Config> asked) {
        Lease found = held.stream()
                .filter(lease -> asked.stream()
                                .filter(other -> withoutScheduler(other).equals(withoutScheduler(config(lease))))
                                .count()
                        == 1)
                .findFirst()
                .orElseThrow();
        held.remove(found);
        return found;
    }

    /** The toy family has two schedulers, so that a config has one twin. */
    private static void expectTwin(ScriptedWorker worker, Lease best, List<Lease> held, Set<Config> asked) {
        Lease twin = worker.leaseOne();
        assertThat(withoutScheduler(config(twin))).isEqualTo(withoutScheduler(config(best)));
        assertThat(asked.add(config(twin))).as("it was not asked for before").isTrue();
        held.add(twin);
        assertThat(worker.lease(TRIALS))
                .as("nothing more before what is open is back")
                .isEmpty();
    }

    @Test
    void twinsAreAskedForWhileTheLastTrialsAreOpenAndAgainWhereOneOfTheseIsBetter(Api api) {
        String id = api.submit("simulated:h200", "model", TRIALS, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        List<Lease> held = new ArrayList<>(worker.lease(TRIALS));
        Set<Config> asked = new HashSet<>(held.stream().map(TwinsTest::config).toList());
        assertThat(held).as("two are kept for twins, and two for shares").hasSize(TRIALS - 4);

        Lease best = withoutTwin(held, asked);
        worker.complete(best, 1000);
        while (held.size() > FEW) {
            assertThat(worker.lease(TRIALS)).as("more than a few are open").isEmpty();
            worker.complete(held.removeLast(), 2000 + held.size());
        }
        List<Lease> more = worker.lease(TRIALS);
        assertThat(more)
                .as("each scheduler has its share: what was kept for that is the search's")
                .hasSize(2);
        for (Lease lease : more) {
            assertThat(asked.add(config(lease))).isTrue();
            worker.complete(lease, 2500);
        }
        expectTwin(worker, best, held, asked);

        Lease better = withoutTwin(held, asked);
        worker.complete(better, 900);
        expectTwin(worker, better, held, asked);

        held.forEach(lease -> worker.complete(lease, 3000));
        assertThat(asked).as("the number of trials is exact").hasSize(TRIALS);
        assertThat(worker.lease(TRIALS)).isEmpty();
        assertThat(api.job(id).get("state").asString()).isEqualTo("finished");
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
