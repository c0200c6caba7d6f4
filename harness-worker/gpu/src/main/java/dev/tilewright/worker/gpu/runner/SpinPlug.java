package dev.tilewright.worker.gpu.runner;

import dev.tilewright.gemm.oracle.SpinKernel;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.HostFlag;
import dev.tilewright.worker.gpu.cuda.PreparedLaunch;
import dev.tilewright.worker.gpu.measure.StreamPlug;
import dev.tilewright.worker.gpu.verify.OracleModule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Plugs that are kernels of one thread. Each waits for a word of host memory, and gives up when the host seems to have
 * died.
 */
final class SpinPlug implements StreamPlug, AutoCloseable {

    /** Queueing takes a few milliseconds; a host that needs longer than this is not timing anything. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final int SIGNAL = 0;
    private static final int OUTCOME = 1;
    private static final int WORDS = 2;

    private final OracleModule module;
    private final HostFlag flag;
    private final List<PreparedLaunch> spins = new ArrayList<>();
    private int next;

    /** Loads the kernel and runs a plug once, so that nothing is loaded behind a plug. */
    SpinPlug(Gpu gpu) {
        this.module = OracleModule.load(gpu, SpinKernel.build());
        this.flag = gpu.hostFlag(MAX_IN_STREAM * WORDS);
        for (int plug = 0; plug < MAX_IN_STREAM; plug++) {
            spins.add(module.prepare(SpinKernel.launch(
                    address(plug * WORDS + SIGNAL), PATIENCE.toNanos(), address(plug * WORDS + OUTCOME))));
        }
        insert().pull();
        gpu.synchronize();
    }

    private long address(int word) {
        return flag.deviceAddress() + (long) word * Integer.BYTES;
    }

    @Override
    public Inserted insert() {
        int first = next * WORDS;
        flag.set(first + SIGNAL, 0);
        flag.set(first + OUTCOME, 0);
        spins.get(next).enqueue();
        next = (next + 1) % MAX_IN_STREAM;
        return new Inserted() {
            @Override
            public void pull() {
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
