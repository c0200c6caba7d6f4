package dev.tilewright.worker.gpu.measure;

import dev.tilewright.worker.gpu.cuda.FakeGpu;
import dev.tilewright.worker.gpu.cuda.GpuProcesses;
import dev.tilewright.worker.gpu.cuda.GpuState;
import dev.tilewright.worker.gpu.cuda.LaunchGrid;
import dev.tilewright.worker.gpu.cuda.PreparedLaunch;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleToIntFunction;
import java.util.function.DoubleToLongFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.LongStream;

/**
 * A GPU whose clock moves with its own time: a launch takes the cycles of its kernel, at the clock of the moment it
 * starts at, and a little noise.
 */
final class VirtualGpu implements GpuState {

    private static final double BASE_MHZ = 1500;

    final FakeGpu gpu = new FakeGpu();

    /** What {@code nvmlClocksEventReasons} says at a time, in nanoseconds. */
    DoubleToLongFunction reasons = now -> 0x4;

    /** How many processes there are at a time; this one is the first, if the driver lists it by its own number. */
    DoubleToIntFunction processes = now -> 1;

    /** Whether the driver says which of them computes: then all but this one do. */
    boolean observed;

    /** Whether the plug held. */
    BooleanSupplier held = () -> true;

    private final DoubleUnaryOperator clock;
    private final double noise;
    private final Random random;
    private double nowNs;
    private long looks;

    /**
     * @param clock share of the base clock at a time in nanoseconds
     * @param noise standard deviation of the logarithm of a launch
     */
    VirtualGpu(DoubleUnaryOperator clock, double noise, long seed) {
        this.clock = clock;
        this.noise = noise;
        this.random = new Random(seed);
    }

    Stopwatch stopwatch() {
        return new Stopwatch(
                gpu,
                new RecordingPlug(gpu, () -> held.getAsBoolean()),
                this,
                new BusyMeter(gpu),
                CycleCounter.NONE,
                new Neighbours(processes(), pid -> pid == 1, () -> looks += 1_000_000_000, Clock.systemUTC(), _ -> {}));
    }

    double nowNs() {
        return nowNs;
    }

    /** An arm whose launch takes so long at the base clock. */
    Arm arm(String name, double nanos) {
        gpu.with(name, nanos, (any, parameters) -> {
            double duration = nanos / clock.applyAsDouble(nowNs) * Math.exp(noise * random.nextGaussian());
            gpu.durationNs.put(name, duration);
            gpu.history.clear();
            nowNs += duration;
        });
        PreparedLaunch launch = gpu.prepare(
                gpu.load(name.getBytes(StandardCharsets.US_ASCII)).function(name, 0),
                LaunchGrid.linear(1, 32, 0),
                List.of());
        return new Arm() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public int sets() {
                return 1;
            }

            @Override
            public void enqueue(int set) {
                launch.enqueue();
            }

            @Override
            public int entriesPerLaunch() {
                return 1;
            }

            @Override
            public String toString() {
                return name;
            }
        };
    }

    @Override
    public OptionalDouble smClockMhz() {
        return OptionalDouble.of(BASE_MHZ * clock.applyAsDouble(nowNs));
    }

    @Override
    public OptionalDouble powerWatts() {
        return OptionalDouble.of(700);
    }

    @Override
    public OptionalDouble temperatureCelsius() {
        return OptionalDouble.of(60);
    }

    @Override
    public OptionalLong throttleReasons() {
        return OptionalLong.of(reasons.applyAsLong(nowNs));
    }

    @Override
    public GpuProcesses processes() {
        return new GpuProcesses() {
            @Override
            public Optional<List<Resident>> residents() {
                return Optional.of(LongStream.rangeClosed(1, processes.applyAsInt(nowNs))
                        .mapToObj(pid -> new Resident(pid, "p" + pid, 0))
                        .toList());
            }

            @Override
            public Optional<List<Use>> usedSince(long micros) {
                return observed
                        ? residents()
                                .map(all -> all.stream()
                                        .map(each -> new Use(each.pid(), 50))
                                        .toList())
                        : Optional.empty();
            }
        };
    }
}
