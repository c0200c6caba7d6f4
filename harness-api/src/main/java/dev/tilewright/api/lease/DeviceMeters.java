package dev.tilewright.api.lease;

import dev.tilewright.api.worker.WorkerRepository;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.GpuTime;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * What trials cost and what the GPUs were like meanwhile, as their reports to this replica say. A series comes with the
 * first report that it is of.
 */
@Component
class DeviceMeters {

    /** Parts of a trial on its worker, by their names in a report. */
    private static final List<String> PHASES = List.of("build", "assemble", "check", "measure");

    /** What was read of a GPU for longer ago says nothing of it now. */
    private static final Duration FRESH = Duration.ofMinutes(5);

    private final MeterRegistry registry;
    private final WorkerRepository workers;
    private final Clock clock;
    private final Map<UUID, String> hosts = new ConcurrentHashMap<>();
    private final Map<MeteredDevice, Reading> readings = new ConcurrentHashMap<>();

    DeviceMeters(MeterRegistry registry, WorkerRepository workers, Clock clock) {
        this.registry = registry;
        this.workers = workers;
        this.clock = clock;
    }

    /** A device of a machine, whichever worker has it. */
    private record MeteredDevice(String host, String device, String model) {

        Tags tags() {
            return Tags.of("host", host, "device", device, "model", model);
        }
    }

    private record Reading(Measurement measured, Instant at) {}

    /** The host of a worker; it is asked once. */
    private String host(UUID workerId) {
        return hosts.computeIfAbsent(workerId, id -> workers.host(id).orElse("unknown"));
    }

    /** A trial was reported in the transaction at hand. */
    void reported(LeaseRow lease, Testbed testbed, TrialResult result) {
        String kind = testbed.kind().toString();
        MeteredDevice device = testbed.kind() == TestbedKind.CUDA
                ? new MeteredDevice(host(lease.workerId()), lease.device(), testbed.device())
                : null;
        LeaseMeters.onCommit(() -> {
            for (String phase : PHASES) {
                Long ns = result.timesNs().get(phase);
                if (ns != null) {
                    phase(phase, kind).increment(ns / 1e9);
                }
            }
            if (device != null) {
                time(device, result.timesNs());
                result.measurements().stream().reduce((first, last) -> last).ifPresent(last -> read(device, last));
            }
        });
    }

    private Counter phase(String phase, String kind) {
        return Counter.builder("tilewright.trials.phases")
                .description("Time that workers spent on trials, by what they did: assemble is the compiler")
                .baseUnit("seconds")
                .tag("phase", phase)
                .tag("kind", kind)
                .register(registry);
    }

    private void time(MeteredDevice device, Map<String, Long> timesNs) {
        timesNs.forEach((part, ns) -> {
            String state = part.equals(GpuTime.BUSY)
                    ? "busy"
                    : part.equals(GpuTime.SPIN_FLUSH) ? "spinning" : part.startsWith(GpuTime.WAIT) ? "idle" : null;
            if (state != null) {
                Counter.builder("tilewright.gpu.time")
                        .description("GPU time of trials: busy with kernels, spinning until they are timed, idle")
                        .baseUnit("seconds")
                        .tags(device.tags())
                        .tag("state", state)
                        .register(registry)
                        .increment(ns / 1e9);
            }
        });
    }

    private void read(MeteredDevice device, Measurement measured) {
        if (readings.put(device, new Reading(measured, clock.instant())) == null) {
            gauge(device, "tilewright.gpu.clock", "hertz", "SM clock while the last trial was timed", found -> {
                Double megahertz = found.smClockMhz();
                return megahertz == null ? null : megahertz * 1e6;
            });
            gauge(device, "tilewright.gpu.power", "watts", "Power while it was timed", Measurement::powerWatts);
            gauge(
                    device,
                    "tilewright.gpu.temperature",
                    "celsius",
                    "Temperature of the chip while it was timed",
                    Measurement::temperatureCelsius);
        }
    }

    private void gauge(
            MeteredDevice device,
            String name,
            String unit,
            String description,
            Function<Measurement, @Nullable Double> value) {
        Gauge.builder(name, readings, known -> now(known.get(device), value))
                .description(description + "; not a number if that was not read, or longer ago than 5 minutes")
                .baseUnit(unit)
                .tags(device.tags())
                .register(registry);
    }

    private double now(@Nullable Reading reading, Function<Measurement, @Nullable Double> value) {
        if (reading == null || reading.at().plus(FRESH).isBefore(clock.instant())) {
            return Double.NaN;
        }
        Double read = value.apply(reading.measured());
        return read == null ? Double.NaN : read;
    }
}
