package dev.tilewright.api.testing;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.cumulative.CumulativeTimer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Keeps every single time that the driver's timer of asks is told, where Prometheus keeps counts. */
public final class AskTimes extends SimpleMeterRegistry {

    /** @param about what was asked */
    public record Ask(String about, Duration time) {}

    private final Queue<Ask> asks = new ConcurrentLinkedQueue<>();

    public AskTimes() {
        super(SimpleConfig.DEFAULT, Clock.SYSTEM);
    }

    /** What was asked since this was called last. */
    public List<Ask> take() {
        List<Ask> taken = new java.util.ArrayList<>();
        for (Ask ask = asks.poll(); ask != null; ask = asks.poll()) {
            taken.add(ask);
        }
        return taken;
    }

    @Override
    protected Timer newTimer(Meter.Id id, DistributionStatisticConfig distribution, PauseDetector pauses) {
        if (!id.getName().equals("tilewright.search.ask")) {
            return super.newTimer(id, distribution, pauses);
        }
        String about = String.valueOf(id.getTag("about"));
        return new CumulativeTimer(id, clock, distribution, pauses, getBaseTimeUnit(), false) {
            @Override
            protected void recordNonNegative(long amount, TimeUnit unit) {
                super.recordNonNegative(amount, unit);
                asks.add(new Ask(about, Duration.ofNanos(unit.toNanos(amount))));
            }
        };
    }
}
