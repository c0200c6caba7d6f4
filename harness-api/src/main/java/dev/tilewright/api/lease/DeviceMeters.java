package dev.tilewright.api.lease;

import dev.tilewright.api.platform.database.OnCommit;
import dev.tilewright.api.task.TaskRow;
import dev.tilewright.api.work.LeaseRow;
import dev.tilewright.api.worker.WorkerRepository;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.Report;
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
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Meters of trials, finals, comparisons and GPUs, as reports to this replica give them. A series comes with the first
 * report that it is of.
 */
@Component
class DeviceMeters {

    /** Parts of a trial on its worker, by their names in a report. */
    private static final List<String> PHASES = List.of("build", "assemble", "check", "measure");

    /** Age up to which a reading of a GPU counts. */
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

    /** A reading of a GPU while it was timed; each value is {@code null} if it could not be read. */
    private record Reading(
            @Nullable Double clockMhz,
            @Nullable Double powerWatts,
            @Nullable Double celsius,
            Instant at) {}

    /** The host of a worker; it is asked until it is known. */
    private String host(UUID workerId) {
        String known = hosts.get(workerId);
        if (known != null) {
            return known;
        }
        // Not within the map: its lock would be held for as long as the database takes.
        Optional<String> host = workers.host(workerId);
        host.ifPresent(name -> hosts.put(workerId, name));
        return host.orElse("unknown");
    }

    /** A trial was reported in the transaction at hand. */
    void screened(LeaseRow lease, Testbed testbed, TrialResult result) {
        OnCommit.run(() -> {
            for (String phase : PHASES) {
                Long ns = result.timesNs().get(phase);
                if (ns != null) {
                    phase(phase, testbed.kind().toString()).increment(ns / 1e9);
                }
            }
            reported(lease.workerId(), lease.device(), testbed, result.timesNs(), last(result.measurements()));
        });
    }

    private @Nullable Reading last(List<Measurement> measurements) {
        if (measurements.isEmpty()) {
            return null;
        }
        Measurement last = measurements.getLast();
        return new Reading(last.smClockMhz(), last.powerWatts(), last.temperatureCelsius(), clock.instant());
    }

    /** A race and its final were reported in the transaction at hand. */
    void finished(LeaseRow lease, Testbed testbed, FinalResult result) {
        OnCommit.run(
                () -> reported(lease.workerId(), lease.device(), testbed, result.timesNs(), ofBlocks(result.blocks())));
    }

    /** A comparison of a worker was stored; of a worker that was forgotten meanwhile nothing is known. */
    void compared(UUID workerId, TaskRow task, GpuTaskResult.Compared result) {
        if (task.address() != null && task.testbed() != null) {
            reported(workerId, task.address().device(), task.testbed(), result.gpuTimesNs(), ofBlocks(result.blocks()));
        }
    }

    private @Nullable Reading ofBlocks(List<Report.Block> blocks) {
        if (blocks.isEmpty()) {
            return null;
        }
        Report.Block last = blocks.getLast();
        return new Reading(last.smClockMhz(), last.powerWatts(), last.temperatureCelsius(), clock.instant());
    }

    private void reported(
            UUID workerId, String label, Testbed testbed, Map<String, Long> timesNs, @Nullable Reading reading) {
        if (testbed.kind() == TestbedKind.CUDA) {
            MeteredDevice device = new MeteredDevice(host(workerId), label, testbed.device());
            time(device, timesNs);
            if (reading != null) {
                read(device, reading);
            }
        }
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
                        .description(
                                "GPU time by what the GPU was at: busy with kernels, spinning until they are timed,"
                                        + " idle")
                        .baseUnit("seconds")
                        .tags(device.tags())
                        .tag("state", state)
                        .register(registry)
                        .increment(ns / 1e9);
            }
        });
    }

    private void read(MeteredDevice device, Reading reading) {
        if (readings.put(device, reading) == null) {
            gauge(device, "tilewright.gpu.clock", "hertz", "SM clock while something was timed last", found -> {
                Double megahertz = found.clockMhz();
                return megahertz == null ? null : megahertz * 1e6;
            });
            gauge(device, "tilewright.gpu.power", "watts", "Power meanwhile", Reading::powerWatts);
            gauge(
                    device,
                    "tilewright.gpu.temperature",
                    "celsius",
                    "Temperature of the chip meanwhile",
                    Reading::celsius);
        }
    }

    private void gauge(
            MeteredDevice device,
            String name,
            String unit,
            String description,
            Function<Reading, @Nullable Double> value) {
        Gauge.builder(name, readings, known -> now(known.get(device), value))
                .description(description + "; not a number if that was not read, or longer ago than 5 minutes")
                .baseUnit(unit)
                .tags(device.tags())
                .register(registry);
    }

    private double now(@Nullable Reading reading, Function<Reading, @Nullable Double> value) {
        if (reading == null || reading.at().plus(FRESH).isBefore(clock.instant())) {
            return Double.NaN;
        }
        Double read = value.apply(reading);
        return read == null ? Double.NaN : read;
    }
}
