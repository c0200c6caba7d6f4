package dev.tilewright.api.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which studies a poll looks at. */
@ExtendWith(RunningService.class)
class OfferTest {

    private static final int JOBS = 30;

    private static int running(Service service) {
        return service.jdbc()
                .sql("select count(*) from study where state <> 'queued'")
                .query(Integer.class)
                .single();
    }

    @Test
    void aPollBeginsAFewOfManyAndInTheEndAllAreDone(Api api, Service service) {
        for (int i = 0; i < JOBS; i++) {
            api.submit("simulated:h200", "random", 2, "640x384x" + 8 * (i + 1));
        }
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        assertThat(worker.lease(1))
                .hasSize(1)
                .allSatisfy(lease -> assertThat(lease.problem().shape().k())
                        .as("the oldest first")
                        .isEqualTo(8));
        assertThat(running(service)).isBetween(1, 16);
        worker.lease(200).forEach(lease -> worker.complete(lease, 1000));
        assertThat(running(service)).isLessThan(JOBS);
        worker.workOff(1000, 1);
        assertThat(running(service)).isEqualTo(JOBS);
    }

    @Test
    void whatNoDeviceOfTheWorkerMayTakeStaysAsItIs(Api api, Service service) {
        api.submit("cuda:3", "random", 2, "640x384x256");
        api.submit("simulated:b200", "random", 2, "640x384x256");
        api.submit("emulated", "random", 2, "640x384x256");
        api.submit("auto", "random", 2, "640x384x128");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        assertThat(worker.lease(8))
                .hasSize(2)
                .allSatisfy(lease -> assertThat(lease.problem().shape().k()).isEqualTo(128));
        assertThat(running(service)).isEqualTo(1);
    }
}
