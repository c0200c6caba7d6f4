package dev.tilewright.api.work;

import dev.tilewright.api.platform.database.OnCommit;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/**
 * Counts leases by how they ended. The counters are there from the start with 0: an alert asks how many more leases
 * expired, and would not see the first ones.
 */
@Component
public final class LeaseEndings {

    private final MeterRegistry registry;

    public LeaseEndings(MeterRegistry registry) {
        this.registry = registry;
        for (LeaseRow.Ending ending : LeaseRow.Ending.values()) {
            counter(ending);
        }
    }

    private Counter counter(LeaseRow.Ending ending) {
        return Counter.builder("tilewright.leases.ended")
                .description("Leases by how they ended")
                .tag("ending", ending.toString())
                .register(registry);
    }

    /** Leases ended this way in the transaction at hand. */
    void count(LeaseRow.Ending how, int leases) {
        if (leases > 0) {
            OnCommit.run(() -> counter(how).increment(leases));
        }
    }
}
