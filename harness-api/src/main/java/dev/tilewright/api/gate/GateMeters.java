package dev.tilewright.api.gate;

import dev.tilewright.gate.document.GateVerdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** Counts what this replica decided. A series comes with the first verdict that it is of. */
@Component
record GateMeters(MeterRegistry registry) {

    /** A run of a GPU was decided, and that is stored. */
    void decided(GateVerdict verdict) {
        Counter.builder("tilewright.gates.decided")
                .description("Runs of gates that were decided, by their verdict")
                .tag("verdict", verdict.toString())
                .register(registry)
                .increment();
    }
}
