package dev.tilewright.simulator;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.model.trial.Testbed;
import java.util.Optional;

/**
 * The rate that no kernel exceeds on a GPU: all tensor cores at work at the highest clock. A datasheet states less,
 * since it counts at a clock that the card holds.
 */
public final class PeakRate {

    /** Of a GPU that is not known here, on two-byte inputs: eight times the fastest that is. */
    private static final double UNKNOWN_TFLOPS = 20_000;

    private PeakRate() {}

    /**
     * The bound for dense GEMMs, 10^12 operations a second; twice as much on one-byte inputs.
     *
     * @param testbed whose SMs count as far as a GPU of its architecture has them
     */
    public static double tflops(Testbed testbed, OperandTypes types) {
        boolean oneByte = Math.min(types.a().bytes(), types.b().bytes()) < DataType.BF16.bytes();
        return (oneByte ? 2 : 1)
                * largest(testbed).map(gpu -> tflops(gpu, testbed.smCount())).orElse(UNKNOWN_TFLOPS);
    }

    private static double tflops(GpuConstants gpu, int smCount) {
        int sms = Math.min(smCount, gpu.topology().smCount());
        return sms * gpu.tensorCores().flopPerClk() * gpu.power().boostMhz() / 1e6;
    }

    /** The GPU of the architecture with the most SMs and the highest clock. */
    private static Optional<GpuConstants> largest(Testbed testbed) {
        return Architecture.of(testbed).map(architecture -> switch (architecture) {
            case SM90 -> SimulatedGpus.H200;
            case SM100 -> SimulatedGpus.GB200;
        });
    }
}
