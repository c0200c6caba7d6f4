package dev.tilewright.api.lease;

import dev.tilewright.api.platform.database.OnCommit;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.GpuTaskResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Meters {@code tilewright.*}; every tag has a small fixed set of values. Counters count what was committed, and come
 * with the first event.
 */
@Component
class LeaseMeters {

    private final MeterRegistry registry;
    private final Timer answers;

    LeaseMeters(MeterRegistry registry, QueueDepthRepository depths, WorkerService workers) {
        this.registry = registry;
        this.answers = Timer.builder("tilewright.leases.answer")
                .description("Time that the service took to answer a worker that asked for work")
                .serviceLevelObjectives(
                        Duration.ofMillis(5),
                        Duration.ofMillis(10),
                        Duration.ofMillis(25),
                        Duration.ofMillis(50),
                        Duration.ofMillis(100),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(2))
                .register(registry);
        age("trials", "Time for which the oldest trial has waited for a worker", depths);
        age("studies", "Time for which the oldest study has waited for a device", depths);
        age("tasks", "Time for which the oldest task has waited for a GPU", depths);
        for (String state : List.of("queued", "leased")) {
            gauge(
                            "tilewright.tasks",
                            "Tasks that wait for a GPU, such as comparisons, and those that workers hold",
                            depths,
                            known -> known.tasks(state))
                    .tag("state", state)
                    .register(registry);
        }
        trials("queued", "Trials that wait for a worker", depths, QueueDepthRepository::queuedTrials);
        trials("leased", "Trials that workers hold", depths, QueueDepthRepository::leasedTrials);
        gauge(
                        "tilewright.studies.open",
                        "Studies that are queued or running",
                        depths,
                        QueueDepthRepository::openStudies)
                .register(registry);
        gauge("tilewright.workers.live", "Workers heard within the life of a lease", workers, WorkerService::alive)
                .register(registry);
    }

    private void age(String of, String description, QueueDepthRepository depths) {
        gauge("tilewright.queue.age", description, depths, known -> known.oldestSeconds(of))
                .baseUnit("seconds")
                .tag("of", of)
                .register(registry);
    }

    /** Times the answer to a worker that asks for work. */
    <T> T answered(Supplier<T> answer) {
        return answers.record(answer);
    }

    /** Two kernels were compared, in the transaction at hand. */
    void compared(GpuTaskResult.CompareVerdict verdict) {
        OnCommit.run(() -> Counter.builder("tilewright.comparisons")
                .description("Comparisons that finished, by their verdict")
                .tag("verdict", verdict.toString())
                .register(registry)
                .increment());
    }

    private void trials(
            String state,
            String description,
            QueueDepthRepository depths,
            ToDoubleFunction<QueueDepthRepository> value) {
        gauge("tilewright.trials", description, depths, value)
                .tag("state", state)
                .register(registry);
    }

    private static <T> Gauge.Builder<T> gauge(String name, String description, T source, ToDoubleFunction<T> value) {
        return Gauge.builder(name, source, known -> orUnknown(known, value)).description(description);
    }

    /** While Postgres is away the numbers are unknown, and the other meters still answer. */
    private static <T> double orUnknown(T source, ToDoubleFunction<T> value) {
        try {
            return value.applyAsDouble(source);
        } catch (DataAccessException | TransactionException e) {
            return Double.NaN;
        }
    }

    /** A report was refused in the transaction at hand; one that fails is asked for again, and counts then. */
    void stale() {
        OnCommit.run(() -> Counter.builder("tilewright.reports.stale")
                .description("Reports refused because their lease had been lost")
                .register(registry)
                .increment());
    }
}
