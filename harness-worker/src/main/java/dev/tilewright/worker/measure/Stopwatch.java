package dev.tilewright.worker.measure;

import dev.tilewright.worker.device.cuda.DeviceBuffer;
import dev.tilewright.worker.device.cuda.Gpu;
import dev.tilewright.worker.device.cuda.GpuEvent;
import dev.tilewright.worker.device.cuda.GpuState;
import dev.tilewright.worker.stats.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;

/**
 * The one launch path: launches are queued behind a closed gate, between two events, and start together when it opens.
 *
 * <p>A stream takes about a thousand entries before the host must wait for the device, which behind a closed gate would
 * be forever. A longer run is therefore cut into batches, each behind its own gate; the time between batches is not
 * counted.
 */
public final class Stopwatch implements AutoCloseable {

    /** Entries that are queued behind a gate at the most, well below what a stream takes. */
    static final int MAX_ENTRIES = 512;

    /** A flush writes this many times the size of L2. */
    private static final int FLUSH_FACTOR = 2;

    /** Entries of a cold launch beside those of the arm: flush and two events. */
    private static final int COLD_ENTRIES = 3;

    private static final int MAX_ATTEMPTS = 3;

    /** Between two looks at the state of the GPU. */
    private static final long LOOK_NS = 250_000;

    /**
     * Power and temperature change slowly, and asking for them takes longer: they are read at every so many looks,
     * counted over all runs; a run without a reading of its own has the last one.
     */
    private static final int SLOW_LOOKS = 16;

    /** A shorter time on the clock of the device, which may tick in microseconds, gives no clock rate. */
    private static final long LEAST_COUNTED_NS = 500_000;

    /** Between two questions whether the run is over: what is waited too long, the GPU is idle. */
    private static final long POLL_NS = 50_000;

    private final Gpu gpu;
    private final Gate gate;
    private final GpuState state;
    private final BusyMeter meter;
    private final CycleCounter cycles;
    private final DeviceBuffer flush;
    private final GpuEvent before;
    private final EventPool events;
    private OptionalDouble lastPower = OptionalDouble.empty();
    private OptionalDouble lastTemperature = OptionalDouble.empty();
    private long looks;
    private int rotation;

    /** Without a counter of cycles: the clock is what the state of the GPU says. */
    Stopwatch(Gpu gpu, Gate gate, GpuState state, BusyMeter meter) {
        this(gpu, gate, state, meter, CycleCounter.NONE);
    }

    /**
     * @param meter is told for how long the GPU was busy
     * @param cycles counts around the launches of a sustained run
     */
    public Stopwatch(Gpu gpu, Gate gate, GpuState state, BusyMeter meter, CycleCounter cycles) {
        this.gpu = gpu;
        this.events = new EventPool(gpu);
        this.gate = gate;
        this.state = state;
        this.meter = meter;
        this.cycles = cycles;
        this.before = gpu.event();
        this.flush = gpu.allocate(FLUSH_FACTOR * gpu.info().l2Bytes());
        // Once outside a gate: what the driver loads for a fill must not be loaded behind one.
        gpu.fill(flush.address(), 0, flush.bytes());
        gpu.synchronize();
    }

    /** Launch behind launch, each on the next set of operands: the mean duration of a launch. */
    public Run sustained(Arm arm, int launches) {
        Observation observation = new Observation();
        double elapsed = 0;
        int batch = Math.max(1, MAX_ENTRIES / arm.entriesPerLaunch());
        for (int done = 0; done < launches; done += batch) {
            elapsed += batch(arm, Math.min(batch, launches - done), observation);
        }
        return observation.run(launches, elapsed / launches);
    }

    private double batch(Arm arm, int launches, Observation observation) {
        GpuEvent start = events.get(0);
        GpuEvent end = events.get(1);
        behindGate(observation, end, () -> {
            cycles.start();
            start.record();
            for (int i = 0; i < launches; i++) {
                launch(arm);
            }
            end.record();
            cycles.stop();
        });
        cycles.count().ifPresent(observation::counted);
        double elapsed = end.nanosSince(start);
        count(elapsed, end);
        return elapsed;
    }

    /**
     * Queues work behind a closed gate, opens it and waits for the end; once more if the gate gave up meanwhile.
     *
     * @throws GateGaveUpException if it does so each time
     */
    private void behindGate(Observation observation, GpuEvent end, Runnable work) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            before.record();
            gate.shut();
            work.run();
            gate.open();
            observation.until(end);
            if (gate.held()) {
                return;
            }
        }
        throw new GateGaveUpException(MAX_ATTEMPTS);
    }

    /** Each launch behind a flush of L2 and between its own two events: the median duration of a launch. */
    public Run cold(Arm arm, int launches) {
        Observation observation = new Observation();
        double[] durations = new double[launches];
        int batch = Math.max(1, MAX_ENTRIES / (arm.entriesPerLaunch() + COLD_ENTRIES));
        for (int done = 0; done < launches; done += batch) {
            int size = Math.min(batch, launches - done);
            int first = done;
            behindGate(observation, events.get(2 * size - 1), () -> {
                for (int i = 0; i < size; i++) {
                    gpu.fill(flush.address(), first + i, flush.bytes());
                    events.get(2 * i).record();
                    launch(arm);
                    events.get(2 * i + 1).record();
                }
            });
            double elapsed = 0;
            for (int i = 0; i < size; i++) {
                durations[done + i] = events.get(2 * i + 1).nanosSince(events.get(2 * i));
                elapsed += durations[done + i];
            }
            count(elapsed, events.get(2 * size - 1));
        }
        return observation.run(launches, Quantiles.median(durations));
    }

    /** How many processes have a context on the GPU; empty if that cannot be read. */
    OptionalInt processes() {
        return state.processes();
    }

    /** What was not launches since the gate was put into the stream was spinning and flushing. */
    private void count(double elapsed, GpuEvent end) {
        meter.add(elapsed, end.nanosSince(before) - elapsed);
    }

    private void launch(Arm arm) {
        arm.enqueue(rotation % arm.sets());
        rotation = (rotation + 1) & Integer.MAX_VALUE;
    }

    @Override
    public void close() {
        events.close();
        before.close();
        flush.close();
    }

    /** What the state of the GPU was while it worked. */
    private final class Observation {
        private final List<Double> clocks = new ArrayList<>();
        private final List<Double> powers = new ArrayList<>();
        private final List<Double> temperatures = new ArrayList<>();
        private long throttleReasons;
        private long cyclesCounted;
        private long nanosCounted;

        /** Looks at the state until the device has passed the event, at least once. */
        void until(GpuEvent end) {
            look();
            for (long waited = 0; !end.isReached(); waited += POLL_NS) {
                LockSupport.parkNanos(POLL_NS);
                if (waited % LOOK_NS == LOOK_NS - POLL_NS) {
                    look();
                }
            }
            end.await();
        }

        private void look() {
            state.smClockMhz().ifPresent(clocks::add);
            throttleReasons |= state.throttleReasons().orElse(0);
            if (looks++ % SLOW_LOOKS == 0) {
                lastPower = state.powerWatts();
                lastTemperature = state.temperatureCelsius();
                lastPower.ifPresent(powers::add);
                lastTemperature.ifPresent(temperatures::add);
            }
        }

        Run run(int launches, double launchNs) {
            OptionalDouble clock = nanosCounted < LEAST_COUNTED_NS
                    ? median(clocks)
                    : OptionalDouble.of(1e3 * cyclesCounted / nanosCounted);
            return new Run(
                    launches,
                    launchNs,
                    clock,
                    powers.isEmpty() ? lastPower : median(powers),
                    temperatures.isEmpty() ? lastTemperature : median(temperatures),
                    throttleReasons);
        }

        void counted(CycleCounter.Count count) {
            cyclesCounted += count.cycles();
            nanosCounted += count.nanos();
        }

        private static OptionalDouble median(List<Double> seen) {
            return seen.isEmpty()
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(Quantiles.median(
                            seen.stream().mapToDouble(Double::doubleValue).toArray()));
        }
    }
}
