package dev.tilewright.api.best;

import dev.tilewright.api.platform.MonotonicTime;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import org.springframework.stereotype.Component;

/**
 * The highest rate of each class of shapes and model of GPU. A shape is {@code skinny} with M or N up to 128, as in
 * decoding; of the others one of less than 2e10 operations is {@code small}, one of less than 1e12 {@code medium}.
 */
@Component
public final class BestMeters {

    private static final Duration LOOK = Duration.ofMinutes(1);

    private final BestRepository best;
    private final MonotonicTime time;
    private final MultiGauge rates;
    private long lookedNs;
    private boolean looked;

    BestMeters(BestRepository best, MonotonicTime time, MeterRegistry registry) {
        this.best = best;
        this.time = time;
        this.rates = MultiGauge.builder("tilewright.best.rate")
                .description("Highest rate that a final on a real GPU measured, in operations a second")
                .baseUnit("flops")
                .register(registry);
    }

    /** Reads the rates anew, once a minute however often it is called. */
    public synchronized void look() {
        long now = time.nanos();
        if (looked && now - lookedNs < LOOK.toNanos()) {
            return;
        }
        looked = true;
        lookedNs = now;
        rates.register(
                best.highestRates().stream()
                        .map(rate -> MultiGauge.Row.of(
                                Tags.of("shapes", rate.shapes(), "model", rate.model()), rate.tflops() * 1e12))
                        .toList(),
                true);
    }
}
