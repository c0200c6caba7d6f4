package dev.tilewright.emulator.speed;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.gemm.GemmCase;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.gemm.oracle.FillKernel;
import dev.tilewright.model.problem.DataType;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Warp instructions and MMA flops a second, on one thread. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx2g", "-XX:+UseSerialGC"})
public class EmulatorBenchmark {
    private static final int FILLED = 1 << 18;

    /** What was done, as rates. */
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    @State(Scope.Thread)
    public static class Work {
        public long warpInstructions;
        public long mmaFlops;

        RunEnd count(RunEnd verdict) {
            if (!(verdict instanceof RunEnd.Completed)) {
                throw new IllegalStateException(verdict.toString());
            }
            warpInstructions += verdict.statistics().steps();
            mmaFlops += 2 * verdict.statistics().multiplyAdds();
            return verdict;
        }
    }

    /** The kernels, decoded once. */
    @State(Scope.Thread)
    public static class Kernels {
        private static final String FILL = FillKernel.entry(DataType.F32, FillKernel.Distribution.NORMAL);

        private final GemmCase gemm = SpeedCase.SMALL.gemm();
        private final PtxEmulator multiply =
                new PtxEmulator(gemm.kernel().module(), gemm.kernelLaunch().entry());
        private final Launch multiplication = gemm.launch();
        private final PtxEmulator fill = new PtxEmulator(FillKernel.build(), FILL);
        private final Launch filling = new Launch(
                FILL,
                Dim3.of(8),
                Dim3.of(256),
                Dim3.of(1),
                0,
                List.of(new Argument.Pointer("out", 0), new Argument.Scalar64(FILLED), new Argument.Scalar64(7)),
                List.of(Buffer.of("out", new byte[FILLED * Float.BYTES])));
        private long seed;

        /** Another order of everything in each run. */
        Options next() {
            return Options.seed(++seed);
        }
    }

    /** The small GEMM: TMA, mbarriers, wgmma, epilogue. */
    @Benchmark
    public RunEnd gemm(Kernels kernels, Work work) {
        return work.count(kernels.multiply.run(kernels.multiplication, kernels.next()));
    }

    /** Ordinary instructions alone: integer hashing, floating point, stores. */
    @Benchmark
    public RunEnd ordinary(Kernels kernels, Work work) {
        return work.count(kernels.fill.run(kernels.filling, kernels.next()));
    }
}
