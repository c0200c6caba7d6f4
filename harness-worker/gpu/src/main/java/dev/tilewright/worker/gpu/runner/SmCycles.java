package dev.tilewright.worker.gpu.runner;

import dev.tilewright.gemm.oracle.ClockProbeKernel;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.HostFlag;
import dev.tilewright.worker.gpu.cuda.PreparedLaunch;
import dev.tilewright.worker.gpu.measure.CycleCounter;
import dev.tilewright.worker.gpu.measure.StreamPlug;
import dev.tilewright.worker.gpu.verify.OracleModule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads by a kernel of one thread. The stream is in order, so the GPU is empty at both readings and gives them the same
 * SM; where it does not, there is no count. The readings lie in host memory, where nothing waits for the stream.
 */
final class SmCycles implements CycleCounter, AutoCloseable {

    /** Words of a record: nanoseconds, cycles, both of two words, the SM. */
    private static final int NANOS = 0;

    private static final int CYCLES = 2;
    private static final int SM = 4;
    private static final int WORDS = ClockProbeKernel.BYTES / Integer.BYTES;

    private final OracleModule module;
    private final HostFlag records;
    private final List<PreparedLaunch> probes = new ArrayList<>();
    private int next;

    /** Loads the kernel and runs it once, so that nothing is loaded behind a plug. */
    SmCycles(Gpu gpu) {
        this.module = OracleModule.load(gpu, ClockProbeKernel.build());
        this.records = gpu.hostFlag(2 * StreamPlug.MAX_IN_STREAM * WORDS);
        for (int probe = 0; probe < 2 * StreamPlug.MAX_IN_STREAM; probe++) {
            probes.add(module.prepare(
                    ClockProbeKernel.launch(records.deviceAddress() + (long) probe * ClockProbeKernel.BYTES)));
        }
        start().stop();
        gpu.synchronize();
    }

    @Override
    public Counting start() {
        int first = 2 * next;
        next = (next + 1) % StreamPlug.MAX_IN_STREAM;
        probes.get(first).enqueue();
        return new Counting() {
            @Override
            public void stop() {
                probes.get(first + 1).enqueue();
            }

            @Override
            public Optional<Count> count() {
                return between(first * WORDS, (first + 1) * WORDS);
            }
        };
    }

    private Optional<Count> between(int first, int second) {
        long nanos = number(second + NANOS) - number(first + NANOS);
        long cycles = number(second + CYCLES) - number(first + CYCLES);
        return records.get(second + SM) == records.get(first + SM) && nanos > 0 && cycles > 0
                ? Optional.of(new Count(cycles, nanos))
                : Optional.empty();
    }

    private long number(int word) {
        return Integer.toUnsignedLong(records.get(word)) | (long) records.get(word + 1) << Integer.SIZE;
    }

    @Override
    public void close() {
        probes.forEach(PreparedLaunch::close);
        records.close();
        module.close();
    }
}
