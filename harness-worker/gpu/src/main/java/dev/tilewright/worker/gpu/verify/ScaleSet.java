package dev.tilewright.worker.gpu.verify;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;

/** The scales of A and of B of a set of operands, f32, as they lie by the {@code OperandLayout}. */
public record ScaleSet(DeviceBuffer a, DeviceBuffer b) {

    /** The scales of one operand. */
    public DeviceBuffer of(OperandRole role) {
        return switch (role) {
            case A -> a;
            case B -> b;
        };
    }
}
