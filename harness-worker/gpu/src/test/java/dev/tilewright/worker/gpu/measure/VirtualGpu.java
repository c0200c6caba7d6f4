package dev.tilewright.worker.gpu.measure;

import dev.tilewright.worker.gpu.cuda.FakeGpu;
import dev.tilewright.worker.gpu.cuda.GpuState;
import dev.tilewright.worker.gpu.cuda.LaunchGrid;
import dev.tilewright.worker.gpu.cuda.PreparedLaunch;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleToIntFunction;
import java.util.function.DoubleToLongFunction;
import java.util.function.DoubleUnaryOperator;

/**
 * A GPU whose clock moves with its own time: a launch takes the cycles of its kernel, at the clock of the moment it
 * starts at, and a little noise.
 */
final class VirtualGpu implements GpuState {

    private static final double BASE_MHZ = 1500;

    final FakeGpu gpu = new FakeGpu();

    /** What {@code nvmlClocksEventReasons} says at a time, in nanoseconds. */
    DoubleToLongFunction reasons = now -> 0x4;

    /** How many processes there are at a time. */
    DoubleToIntFunction processes = now -> 1;

    /** Whether the plug held. */
    BooleanSupplier held = () -> true;

    private final DoubleUnaryOperator clock;
    private final double noise;
    private final Random random;
    private double nowNs;

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
        return new Stopwatch(gpu, new RecordingPlug(gpu, () -> held.getAsBoolean()), this, new BusyMeter(gpu));
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
    public OptionalInt processes() {
        return OptionalInt.of(processes.applyAsInt(nowNs));
    }
}
