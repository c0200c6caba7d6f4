package dev.tilewright.worker.gpu.runner;

import dev.tilewright.gemm.oracle.SpinKernel;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.HostFlag;
import dev.tilewright.worker.gpu.cuda.PreparedLaunch;
import dev.tilewright.worker.gpu.measure.Gate;
import dev.tilewright.worker.gpu.verify.OracleModule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Gates that are kernels of one thread, each waiting for a word of host memory. They give up when the host seems to
 * have died.
 */
final class SpinGate implements Gate, AutoCloseable {

    /** Queueing takes a few milliseconds; a host that needs longer than this is not timing anything. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final int SIGNAL = 0;
    private static final int OUTCOME = 1;
    private static final int WORDS = 2;

    private final OracleModule module;
    private final HostFlag flag;
    private final List<PreparedLaunch> spins = new ArrayList<>();
    private int next;

    /** Loads the kernel and passes a gate once, so that nothing is loaded behind a closed gate. */
    SpinGate(Gpu gpu) {
        this.module = OracleModule.load(gpu, SpinKernel.build());
        this.flag = gpu.hostFlag(MOST * WORDS);
        for (int gate = 0; gate < MOST; gate++) {
            spins.add(module.prepare(SpinKernel.launch(
                    address(gate * WORDS + SIGNAL), PATIENCE.toNanos(), address(gate * WORDS + OUTCOME))));
        }
        shut().open();
        gpu.synchronize();
    }

    private long address(int word) {
        return flag.deviceAddress() + (long) word * Integer.BYTES;
    }

    @Override
    public Passage shut() {
        int first = next * WORDS;
        flag.set(first + SIGNAL, 0);
        flag.set(first + OUTCOME, 0);
        spins.get(next).enqueue();
        next = (next + 1) % MOST;
        return new Passage() {
            @Override
            public void open() {
                flag.set(first + SIGNAL, 1);
            }

            @Override
            public boolean held() {
                return flag.get(first + OUTCOME) == SpinKernel.RELEASED;
            }
        };
    }

    @Override
    public void close() {
        spins.forEach(PreparedLaunch::close);
        flag.close();
        module.close();
    }
}
