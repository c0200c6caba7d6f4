package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.oracle.Bf16;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.measure.StreamPlug;
import dev.tilewright.worker.gpu.verify.GuardedBuffer;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.RedZones;
import dev.tilewright.worker.link.runner.Kernel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Launches that overlap, each of which reads what the one ahead of it wrote; skipped where there is no GPU. */
class OverlapOnGpuTest extends OnGpu {

    private static final String BASE = "scheduler=static mode=cooperative consumers=2 tileM=128 tileN=128 tileK=64"
            + " loadStages=4 clusterM=1 clusterN=1 multicast=none swizzle=128 epilogueN=64 epilogueStages=2"
            + " registers=232 l2Hint=none waitDepth=1 rasterOrder=groupedM rasterGroup=8 gridSize=0 ";

    /** D of one launch is A of the next, so N is K; M has a tail. */
    private static final ProblemShape LINK = new ProblemShape(1000, 1032, 1032);

    private static final int LINKS = 65;
    private static final int CHAINS = 20;
    private static final int NAN = 0xFFFF_FFFF;

    private static Config config(String changes) {
        return Config.parse(BASE).with(changes);
    }

    /** A buffer as what another launch reads. */
    private record View(GuardedBuffer buffer) implements DeviceBuffer {
        @Override
        public long address() {
            return buffer.address();
        }

        @Override
        public long bytes() {
            return buffer.bytes();
        }

        @Override
        public void close() {
            // Its owner closes it.
        }
    }

    /** Two buffers in turn: the first launch reads the start, each other one what the one ahead of it wrote. */
    private final class Chain implements AutoCloseable {
        private final Releases releases = new Releases();
        private final GuardedBuffer even = output();
        private final GuardedBuffer odd = output();
        private final LoadedKernel kernel;
        private final boolean oneByOne;

        Chain(Kernel.Assembled kernel, DeviceBuffer start, DeviceBuffer b, boolean oneByOne) {
            this.oneByOne = oneByOne;
            this.kernel = LoadedCubin.load(
                    gpu,
                    "link",
                    kernel,
                    List.of(
                            new OperandSet(start, b, even),
                            new OperandSet(new View(even), b, odd),
                            new OperandSet(new View(odd), b, even)),
                    Optional.empty());
            releases.add(this.kernel::close);
        }

        private GuardedBuffer output() {
            GuardedBuffer buffer = GuardedBuffer.allocate(gpu, 2L * LINK.m() * LINK.n());
            releases.add(buffer::close);
            return buffer;
        }

        /** The bytes that the last launch wrote, after all of them came together out of a plug. */
        byte[] run(SpinPlug plug) {
            gpu.fill(even.address(), NAN, even.bytes());
            gpu.fill(odd.address(), NAN, odd.bytes());
            StreamPlug.Inserted inserted = plug.insert();
            if (oneByOne) {
                inserted.pull();
            }
            for (int link = 0; link < LINKS; link++) {
                kernel.enqueue(link == 0 ? 0 : 2 - link % 2);
                if (oneByOne) {
                    gpu.synchronize();
                }
            }
            inserted.pull();
            byte[] last = new byte[Math.toIntExact(even.bytes())];
            gpu.read(LINKS % 2 == 1 ? even.address() : odd.address(), last);
            assertThat(RedZones.damage(gpu, even)).isEmpty();
            assertThat(RedZones.damage(gpu, odd)).isEmpty();
            return last;
        }

        @Override
        public void close() {
            releases.close();
        }
    }

    /** So small that a chain neither grows nor fades: the sum of K squares is about 1. */
    private DeviceBuffer normal(long elements, double deviation, long seed) {
        Random random = new Random(seed);
        ByteBuffer values = ByteBuffer.allocate(Math.toIntExact(2 * elements)).order(ByteOrder.LITTLE_ENDIAN);
        for (long i = 0; i < elements; i++) {
            values.putShort(Bf16.ofFloat((float) (deviation * random.nextGaussian())));
        }
        DeviceBuffer buffer = gpu.allocate(values.capacity());
        gpu.write(buffer.address(), values.array());
        return buffer;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "scheduler=static launchOverlap=prologue",
                "scheduler=static launchOverlap=loaded",
                "scheduler=atomic launchOverlap=prologue",
                "scheduler=atomic launchOverlap=loaded",
                "scheduler=single launchOverlap=prologue",
                "scheduler=single launchOverlap=loaded",
                // Several CTAs on an SM: those of the next launch sit beside these.
                "scheduler=static launchOverlap=prologue consumers=1 registers=0 tileM=64 tileN=64 loadStages=3",
                "scheduler=atomic launchOverlap=prologue consumers=1 registers=0 tileM=64 tileN=64 loadStages=3",
                "scheduler=single launchOverlap=prologue consumers=1 registers=0 tileM=64 tileN=64 loadStages=3",
                "scheduler=static launchOverlap=prologue mode=pingpong tileM=64 clusterM=2 multicast=both",
                "scheduler=atomic launchOverlap=loaded mode=pingpong tileM=64 clusterM=2 multicast=both",
            })
    void aChainOfOverlappedLaunchesGivesWhatLaunchesOneByOneGive(String parameters) {
        Problem problem = Problem.of(LINK, DataType.BF16);
        Kernel.Assembled overlapping = kernel(problem, config(parameters), false);
        Kernel.Assembled ordinary = kernel(problem, config(parameters + " launchOverlap=none"), false);
        assertThat(overlapping.described().launchOverlap()).isTrue();
        assertThat(ordinary.described().launchOverlap()).isFalse();
        try (DeviceBuffer b = normal((long) LINK.n() * LINK.k(), 1 / Math.sqrt(LINK.k()), 7);
                SpinPlug plug = new SpinPlug(gpu)) {
            for (int chain = 0; chain < CHAINS; chain++) {
                try (DeviceBuffer start = normal((long) LINK.m() * LINK.k(), 1, chain);
                        Chain oneByOne = new Chain(ordinary, start, b, true);
                        Chain overlapped = new Chain(overlapping, start, b, false)) {
                    byte[] expected = oneByOne.run(plug);
                    assertThat(values(expected)).allMatch(Float::isFinite).anyMatch(value -> value != 0);
                    for (int again = 0; again < 3; again++) {
                        assertThat(overlapped.run(plug))
                                .as("chain " + chain + ", run " + again)
                                .isEqualTo(expected);
                    }
                }
            }
        }
    }

    private static List<Float> values(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return Stream.generate(() -> Bf16.toFloat(in.getShort()))
                .limit(bytes.length / 2)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"static", "atomic", "single"})
    void aTrialOfOverlappedLaunchesIsVerifiedBeforeAndAfterItsTiming(String scheduler) {
        String parameters = "scheduler=" + scheduler + " tileN=64 loadStages=6";
        for (String shape : List.of("1024x1024x1024", "1000x1512x704")) {
            Problem ordinary = problem(shape);
            TrialResult alone = completed(request(ordinary, config(parameters), Mode.SUSTAINED, Mode.COLD));
            TrialResult overlapped = completed(request(
                    ordinary.beside(Scenario.QUIET.overlapping()),
                    config(parameters + " launchOverlap=prologue"),
                    Mode.SUSTAINED,
                    Mode.COLD));
            System.out.printf(
                    "%s %s: %.0f ns a launch, overlapping %.0f ns%n",
                    shape, scheduler, sustainedNs(alone), sustainedNs(overlapped));
            // What is hidden is a launch's own time, never work.
            assertThat(sustainedNs(overlapped)).isBetween(0.5 * sustainedNs(alone), 1.1 * sustainedNs(alone));
        }
    }

    private static double sustainedNs(TrialResult done) {
        return done.measurements().stream()
                .filter(measurement -> measurement.mode() == Mode.SUSTAINED)
                .mapToDouble(Measurement::medianNs)
                .findFirst()
                .orElseThrow();
    }
}
