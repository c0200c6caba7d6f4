package dev.tilewright.worker.runner.child;

import dev.tilewright.gemm.oracle.SpinKernel;
import dev.tilewright.worker.device.cuda.Gpu;
import dev.tilewright.worker.device.cuda.HostFlag;
import dev.tilewright.worker.device.cuda.PreparedLaunch;
import dev.tilewright.worker.measure.Gate;
import dev.tilewright.worker.verify.OracleModule;
import java.time.Duration;

/**
 * A gate that is a kernel of one thread, waiting for a word of host memory. It gives up when the host seems to have
 * died.
 */
final class SpinGate implements Gate, AutoCloseable {

    /** Queueing takes a few milliseconds; a host that needs longer than this is not timing anything. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final int SIGNAL = 0;
    private static final int OUTCOME = 1;
    private static final int WORDS = 2;

    private final OracleModule module;
    private final HostFlag flag;
    private final PreparedLaunch spin;

    /** Loads the kernel and passes the gate once, so that nothing is loaded behind a closed gate. */
    SpinGate(Gpu gpu) {
        this.module = OracleModule.load(gpu, SpinKernel.build());
        this.flag = gpu.hostFlag(WORDS);
        long outcome = flag.deviceAddress() + (long) OUTCOME * Integer.BYTES;
        this.spin = module.prepare(SpinKernel.launch(flag.deviceAddress(), PATIENCE.toNanos(), outcome));
        shut();
        open();
        gpu.synchronize();
    }

    @Override
    public void shut() {
        flag.set(SIGNAL, 0);
        flag.set(OUTCOME, 0);
        spin.enqueue();
    }

    @Override
    public void open() {
        flag.set(SIGNAL, 1);
    }

    @Override
    public boolean held() {
        return flag.get(OUTCOME) == SpinKernel.RELEASED;
    }

    @Override
    public void close() {
        spin.close();
        flag.close();
        module.close();
    }
}
