package dev.tilewright.worker.gpu.verify;

import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import java.util.Optional;

/**
 * One set of operands on the device. All sets of a problem hold the same A and B, with the same scales.
 *
 * @param scales where they are buffers
 */
public record OperandSet(DeviceBuffer a, DeviceBuffer b, GuardedBuffer d, Optional<ScaleSet> scales) {

    /** One whose scales are no buffers. */
    public OperandSet(DeviceBuffer a, DeviceBuffer b, GuardedBuffer d) {
        this(a, b, d, Optional.empty());
    }
}
