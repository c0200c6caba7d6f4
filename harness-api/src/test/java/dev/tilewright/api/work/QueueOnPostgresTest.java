package dev.tilewright.api.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.testing.Draw;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Schedules of the simulation against Postgres: what happens there is what happens in memory, event by event. */
@ExtendWith(RunningService.class)
class QueueOnPostgresTest {

    private static void same(long seed, int steps, Service service) {
        QueueSimulation memory = new QueueSimulation(seed, new MemoryStorage(), Faults.NONE, true);
        memory.run(steps);
        QueueSimulation postgres = new QueueSimulation(seed, new PostgresStorage(service), Faults.NONE, true);
        postgres.run(steps);
        assertThat(postgres.trace())
                .as("queue.seed=%d in %d steps", seed, steps)
                .isEqualTo(memory.trace());
        service.jdbc().sql("delete from gpu_task").update();
    }

    @Test
    void aDrawnPartOfTheSchedulesIsTheSame(Service service) {
        Draw seeds = new Draw(47);
        for (int i = 0; i < 3; i++) {
            same(seeds.between(0, 10_000), 60, service);
        }
    }

    @Tag("full")
    @Test
    void twoHundredWholeSchedulesAreTheSame(Service service) {
        for (long seed = 0; seed < 200; seed++) {
            same(seed, 200, service);
        }
    }
}
