package dev.tilewright.worker.gpu.verify;

import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The reference of outputs, f32 in the layout of D, and the operands beside A and B that kernels with this ending read.
 *
 * @param values expected of each element
 * @param allowances multiplied with {@code scale} it is what an element may be off beside {@code relative} of its value
 * @param scale for a depth K
 * @param c one for each set of operands; none if no C is added
 */
public record Reference(
        DeviceBuffer values,
        DeviceBuffer allowances,
        double relative,
        Scale scale,
        List<Content> c,
        Optional<Content> bias) {

    /** A number that may follow the depth of a GEMM. */
    @FunctionalInterface
    public interface Scale {
        double of(int k);
    }

    /**
     * A buffer on the device that no kernel may change.
     *
     * @param name as the launch calls it
     */
    public record Content(String name, DeviceBuffer buffer, long bytes, long checksum) {
        /** As something to compare. */
        public Kept kept() {
            return new Kept(name, buffer.address(), bytes, checksum);
        }
    }

    /** Bytes that a launch leaves as they were, by their checksum. */
    public record Kept(String name, long address, long bytes, long checksum) {}

    /** Address of the value of an element of D. */
    long valueAt(long element) {
        return values.address() + element * Float.BYTES;
    }

    /** Address of the allowance of an element of D. */
    long allowanceAt(long element) {
        return allowances.address() + element * Float.BYTES;
    }
}
