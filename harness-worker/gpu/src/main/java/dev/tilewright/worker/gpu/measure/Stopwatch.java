package dev.tilewright.worker.gpu.measure;

import dev.tilewright.gate.statistics.Quantiles;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.GpuEvent;
import dev.tilewright.worker.gpu.cuda.GpuState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All timed launches go through this class. They are queued behind a plug, between two events, and start together when
 * the plug is pulled.
 *
 * <p>A stream takes about a thousand entries before the host must wait for the device. Behind a plug the host would
 * wait forever. A longer run is therefore cut into batches, each behind its own plug. The time between batches is not
 * counted.
 */
public final class Stopwatch implements AutoCloseable {

    /** Entries that are queued behind a plug at the most, well below what a stream takes. */
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
    private static final long MIN_COUNTED_NS = 500_000;

    /** The host waits for the end so long without sleeping. The GPU is idle while the host oversleeps. */
    private static final long SPIN_NS = 4_000_000;

    /** After that, the host sleeps so long between two questions whether the run is over. */
    private static final long POLL_NS = 50_000;

    /** How many runs may be in the stream. It is half the plugs, because a run that is repeated takes another plug. */
    static final int MAX_RUNS_AHEAD = StreamPlug.MAX_IN_STREAM / 2;

    /** Phase of the host in which it reads the state of the GPU. */
    private static final String STATE = "state";

    private final Gpu gpu;
    private final StreamPlug plug;
    private final GpuState state;
    private final BusyMeter meter;
    private final CycleCounter cycles;
    private final Neighbours neighbours;
    private final DeviceBuffer flush;
    private final EventPool events;
    private OptionalDouble lastPower = OptionalDouble.empty();
    private OptionalDouble lastTemperature = OptionalDouble.empty();
    private long looks;
    private int rotation;

    /** Without a counter of cycles: the clock is what the state of the GPU says. */
    Stopwatch(Gpu gpu, StreamPlug plug, GpuState state, BusyMeter meter) {
        this(gpu, plug, state, meter, CycleCounter.NONE);
    }

    /**
     * @param meter is told for how long the GPU was busy
     * @param cycles counts around the launches of a sustained run
     */
    public Stopwatch(Gpu gpu, StreamPlug plug, GpuState state, BusyMeter meter, CycleCounter cycles) {
        this(gpu, plug, state, meter, cycles, Neighbours.of(state.processes()));
    }

    Stopwatch(Gpu gpu, StreamPlug plug, GpuState state, BusyMeter meter, CycleCounter cycles, Neighbours neighbours) {
        this.gpu = gpu;
        this.events = new EventPool(gpu);
        this.plug = plug;
        this.state = state;
        this.meter = meter;
        this.cycles = cycles;
        this.neighbours = neighbours;
        this.flush = gpu.allocate(FLUSH_FACTOR * gpu.info().l2Bytes());
        // Once outside a plug: what the driver loads for a fill must not be loaded behind one.
        gpu.fill(flush.address(), 0, flush.bytes());
        gpu.synchronize();
    }

    /** Launch behind launch, each on the next set of operands: the mean duration of a launch. */
    public Run sustained(Arm arm, int launches) {
        return settled(arm, 0, launches);
    }

    /**
     * The same behind launches of the arm that are not timed, all of them one load: while a batch is run the next is
     * put behind it. A GPU that waits for the host between them saves power, and who takes longer to queue would run at
     * a higher clock.
     *
     * @param settling launches before the first that is timed
     */
    Run settled(Arm arm, int settling, int launches) {
        Observation unseen = new Observation();
        Observation observation = new Observation();
        List<Part> parts = Stream.concat(parts(arm, settling, unseen), parts(arm, launches, observation))
                .toList();
        Batch running = new Batch(arm, parts.getFirst());
        for (Part part : parts.subList(1, parts.size())) {
            Batch next = new Batch(arm, part);
            running.await();
            running = next;
        }
        running.await();
        return observation.run();
    }

    /** Launches behind one plug, and what observes the GPU meanwhile. */
    private record Part(int launches, Observation observation) {}

    private static Stream<Part> parts(Arm arm, int launches, Observation observation) {
        int most = Math.max(1, MAX_ENTRIES / arm.entriesPerLaunch());
        return IntStream.range(0, Math.ceilDiv(launches, most))
                .mapToObj(part -> new Part(Math.min(most, launches - part * most), observation));
    }

    /** Whether such a run may be queued behind others: one batch, all of it behind one plug. */
    boolean fits(Arm arm, int launches) {
        return (long) launches * arm.entriesPerLaunch() <= MAX_ENTRIES;
    }

    /**
     * Puts a sustained run into the stream behind what is there already, and returns at once: its plug is pulled before
     * the device comes to it, so that the device need not wait for the host between two runs. Runs are waited for in
     * their order, and no more than {@link #MAX_RUNS_AHEAD} are under way.
     *
     * @param launches as many as {@link #fits}
     */
    Pending queue(Arm arm, int launches) {
        return new Pending(arm, launches);
    }

    /** A run in the stream. */
    final class Pending {
        private final Batch batch;

        private Pending(Arm arm, int launches) {
            this.batch = new Batch(arm, new Part(launches, new Observation()));
        }

        /**
         * Waits for its end.
         *
         * @throws PlugGaveUpException if its plug gave up, and did so again when it was repeated
         */
        Run await() {
            batch.await();
            return batch.part.observation().run();
        }
    }

    /** Launches of one arm behind one plug, put into the stream at once. */
    private final class Batch {
        private final Arm arm;
        private final Part part;
        private final GpuEvent start = events.take();
        private final GpuEvent end = events.take();
        private Attempt last;

        Batch(Arm arm, Part part) {
            this.arm = arm;
            this.part = part;
            this.last = queue();
        }

        private record Attempt(BusyMeter.Span span, StreamPlug.Inserted inserted, CycleCounter.Counting counting) {}

        private Attempt queue() {
            BusyMeter.Span span = meter.begin();
            StreamPlug.Inserted inserted = plug.insert();
            CycleCounter.Counting counting = cycles.start();
            try {
                start.record();
                for (int i = 0; i < part.launches(); i++) {
                    launch(arm);
                }
                end.record();
                counting.stop();
                meter.end(span);
            } finally {
                // Also if a launch is refused: the plug must not hold back what others put into the stream.
                inserted.pull();
            }
            return new Attempt(span, inserted, counting);
        }

        /** Waits for the end, having repeated it if the plug gave up meanwhile. */
        void await() {
            Observation observation = part.observation();
            for (int attempt = 1; ; attempt++) {
                observation.until(last.span().end());
                double elapsed = end.nanosSince(start);
                meter.passed(last.span(), elapsed);
                if (last.inserted().held()) {
                    last.counting().count().ifPresent(observation::counted);
                    events.give(start);
                    events.give(end);
                    observation.took(part.launches(), elapsed);
                    return;
                }
                if (attempt == MAX_ATTEMPTS) {
                    throw new PlugGaveUpException(MAX_ATTEMPTS);
                }
                last = queue();
            }
        }
    }

    /** Each launch behind a flush of L2 and between its own two events: the median duration of a launch. */
    public Run cold(Arm arm, int launches) {
        Observation observation = new Observation();
        double[] durations = new double[launches];
        int batch = Math.max(1, MAX_ENTRIES / (arm.entriesPerLaunch() + COLD_ENTRIES));
        for (int done = 0; done < launches; done += batch) {
            double[] some = coldBatch(arm, Math.min(batch, launches - done), done, observation);
            System.arraycopy(some, 0, durations, done, some.length);
        }
        return observation.run(launches, Quantiles.median(durations));
    }

    private double[] coldBatch(Arm arm, int launches, int pattern, Observation observation) {
        List<GpuEvent> starts = Stream.generate(events::take).limit(launches).toList();
        List<GpuEvent> ends = Stream.generate(events::take).limit(launches).toList();
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            BusyMeter.Span span = meter.begin();
            StreamPlug.Inserted inserted = plug.insert();
            try {
                for (int i = 0; i < launches; i++) {
                    gpu.fill(flush.address(), pattern + i, flush.bytes());
                    starts.get(i).record();
                    launch(arm);
                    ends.get(i).record();
                }
                meter.end(span);
            } finally {
                // Also if a launch was refused: the plug must not hold back what others put into the stream.
                inserted.pull();
            }
            observation.until(span.end());
            double[] durations = new double[launches];
            for (int i = 0; i < launches; i++) {
                durations[i] = ends.get(i).nanosSince(starts.get(i));
            }
            meter.passed(span, Arrays.stream(durations).sum());
            if (inserted.held()) {
                starts.forEach(events::give);
                ends.forEach(events::give);
                return durations;
            }
        }
        throw new PlugGaveUpException(MAX_ATTEMPTS);
    }

    /** Other processes on the GPU. */
    public Neighbours neighbours() {
        return neighbours;
    }

    private void launch(Arm arm) {
        arm.enqueue(rotation % arm.sets());
        rotation = (rotation + 1) & Integer.MAX_VALUE;
    }

    @Override
    public void close() {
        events.close();
        flush.close();
    }

    /** State of the GPU while it worked. */
    private final class Observation {
        private final List<Double> clocks = new ArrayList<>();
        private final List<Double> powers = new ArrayList<>();
        private final List<Double> temperatures = new ArrayList<>();
        private long throttleReasons;
        private long cyclesCounted;
        private long nanosCounted;
        private int launches;
        private double elapsedNs;

        /** Looks at the state until the device has passed the event, at least once. */
        void until(GpuEvent end) {
            look();
            long began = System.nanoTime();
            long looked = began;
            while (!end.isReached()) {
                long now = System.nanoTime();
                if (now - looked >= LOOK_NS) {
                    look();
                    looked = now;
                }
                if (now - began < SPIN_NS) {
                    Thread.onSpinWait();
                } else {
                    LockSupport.parkNanos(POLL_NS);
                }
            }
            end.await();
        }

        private void look() {
            String before = meter.enter(STATE);
            state.smClockMhz().ifPresent(clocks::add);
            throttleReasons |= state.throttleReasons().orElse(0);
            if (looks++ % SLOW_LOOKS == 0) {
                lastPower = state.powerWatts();
                lastTemperature = state.temperatureCelsius();
                lastPower.ifPresent(powers::add);
                lastTemperature.ifPresent(temperatures::add);
            }
            meter.enter(before);
        }

        void took(int more, double nanos) {
            launches += more;
            elapsedNs += nanos;
        }

        /** Of what it took: the mean of all launches. */
        Run run() {
            return run(launches, elapsedNs / launches);
        }

        Run run(int launches, double launchNs) {
            OptionalDouble clock = nanosCounted < MIN_COUNTED_NS
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
