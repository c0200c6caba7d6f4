package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;

/** One set of operands on the device. All sets of a problem hold the same A and B. */
public record OperandSet(DeviceBuffer a, DeviceBuffer b, GuardedBuffer d) {

    /**
     * Where one of its buffers begins.
     *
     * @throws IllegalArgumentException if it is none of A, B and D
     */
    public long address(BufferRole role) {
        return switch (role) {
            case A -> a.address();
            case B -> b.address();
            case D -> d.address();
            case COUNTER, WORKSPACE, ARRIVALS, TRACE, TILES, MAPS ->
                throw new IllegalArgumentException("a set of operands has A, B and D, not " + role);
        };
    }
}
