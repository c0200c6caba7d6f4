package dev.tilewright.api.lease;

import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Meters {@code tilewright.*}; every tag has a small fixed set of values. Counters count what was committed, and come
 * with the first event. Those of the endings of leases are there from the start with 0: an alert asks how many more
 * leases expired, and would not see the first ones.
 */
@Component
class LeaseMeters {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseMeters.class);

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
        for (LeaseRow.Ending ending : LeaseRow.Ending.values()) {
            ended(ending);
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

    /** Two kernels were compared. */
    void compared(GpuTaskResult.CompareVerdict verdict) {
        Counter.builder("tilewright.comparisons")
                .description("Comparisons that finished, by their verdict")
                .tag("verdict", verdict.toString())
                .register(registry)
                .increment();
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

    private Counter ended(LeaseRow.Ending ending) {
        return Counter.builder("tilewright.leases.ended")
                .description("Leases by how they ended")
                .tag("ending", ending.toString())
                .register(registry);
    }

    private Counter finished(TrialOutcome outcome, TestbedKind kind) {
        return Counter.builder("tilewright.trials.finished")
                .description("Trials by how they ended and what they ran on")
                .tag("outcome", outcome.toString())
                .tag("kind", kind.toString())
                .register(registry);
    }

    /** Leases ended this way in the transaction at hand. */
    void ended(LeaseRow.Ending ending, int leases) {
        onCommit(() -> ended(ending).increment(leases));
    }

    /** A report was refused in the transaction at hand; one that fails is asked for again, and counts then. */
    void stale() {
        onCommit(() -> Counter.builder("tilewright.reports.stale")
                .description("Reports refused because their lease had been lost")
                .register(registry)
                .increment());
    }

    /** A trial ended in the transaction at hand, this much time after its lease. */
    void finished(TrialOutcome outcome, TestbedKind kind, Duration held) {
        onCommit(() -> {
            finished(outcome, kind).increment();
            Timer.builder("tilewright.trials.duration")
                    .description("Time from the lease of a trial to its end")
                    .tag("outcome", outcome.toString())
                    .tag("kind", kind.toString())
                    .publishPercentileHistogram()
                    .minimumExpectedValue(Duration.ofMillis(5))
                    .maximumExpectedValue(Duration.ofMinutes(2))
                    .register(registry)
                    .record(held);
        });
    }

    /** Trials were cancelled in the transaction at hand. */
    void cancelled(TestbedKind kind, int trials) {
        onCommit(() -> finished(TrialOutcome.CANCELLED, kind).increment(trials));
    }

    /** Counts when the transaction at hand is committed; what cannot be counted then does not make it look failed. */
    static void onCommit(Runnable count) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                try {
                    count.run();
                } catch (RuntimeException uncounted) {
                    LOG.warn("a report was stored, but not counted", uncounted);
                }
            }
        });
    }
}
