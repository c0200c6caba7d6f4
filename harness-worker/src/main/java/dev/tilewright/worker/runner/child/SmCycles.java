package dev.tilewright.worker.runner.child;

import dev.tilewright.gemm.oracle.ClockProbeKernel;
import dev.tilewright.worker.device.cuda.DeviceBuffer;
import dev.tilewright.worker.device.cuda.Gpu;
import dev.tilewright.worker.device.cuda.PreparedLaunch;
import dev.tilewright.worker.measure.CycleCounter;
import dev.tilewright.worker.verify.OracleModule;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Reads by a kernel of one thread. The stream is in order, so the GPU is empty at both readings and gives them the same
 * SM; where it does not, there is no count.
 */
final class SmCycles implements CycleCounter, AutoCloseable {

    private static final int CYCLES = 8;
    private static final int SM = 16;

    private final Gpu gpu;
    private final OracleModule module;
    private final DeviceBuffer records;
    private final PreparedLaunch first;
    private final PreparedLaunch second;

    /** Loads the kernel and runs it once, so that nothing is loaded behind a closed gate. */
    SmCycles(Gpu gpu) {
        this.gpu = gpu;
        this.module = OracleModule.load(gpu, ClockProbeKernel.build());
        this.records = gpu.allocate(2L * ClockProbeKernel.BYTES);
        this.first = module.prepare(ClockProbeKernel.launch(records.address()));
        this.second = module.prepare(ClockProbeKernel.launch(records.address() + ClockProbeKernel.BYTES));
        start();
        stop();
        gpu.synchronize();
    }

    @Override
    public void start() {
        first.enqueue();
    }

    @Override
    public void stop() {
        second.enqueue();
    }

    @Override
    public Optional<Count> count() {
        byte[] bytes = new byte[2 * ClockProbeKernel.BYTES];
        gpu.read(records.address(), bytes);
        ByteBuffer read = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int next = ClockProbeKernel.BYTES;
        long nanos = read.getLong(next) - read.getLong(0);
        long cycles = read.getLong(next + CYCLES) - read.getLong(CYCLES);
        return read.getInt(next + SM) == read.getInt(SM) && nanos > 0 && cycles > 0
                ? Optional.of(new Count(cycles, nanos))
                : Optional.empty();
    }

    @Override
    public void close() {
        second.close();
        first.close();
        records.close();
        module.close();
    }
}
