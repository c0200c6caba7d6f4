package dev.tilewright.api.trial;

import dev.tilewright.api.platform.database.OnCommit;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** Counts trials that ended, by how they ended and what they ran on. */
@Component
public record TrialMeters(MeterRegistry registry) {

    /** A trial ended in the transaction at hand, this much time after its lease. */
    public void finished(TrialOutcome outcome, TestbedKind kind, Duration held) {
        OnCommit.run(() -> {
            counter(outcome, kind).increment();
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
    public void cancelled(TestbedKind kind, int trials) {
        OnCommit.run(() -> counter(TrialOutcome.CANCELLED, kind).increment(trials));
    }

    private Counter counter(TrialOutcome outcome, TestbedKind kind) {
        return Counter.builder("tilewright.trials.finished")
                .description("Trials by how they ended and what they ran on")
                .tag("outcome", outcome.toString())
                .tag("kind", kind.toString())
                .register(registry);
    }
}
