package dev.tilewright.worker.gpu.cuda;

import dev.tilewright.launch.TensorMap;
import java.util.Arrays;

/** A parameter of a kernel with its value, addresses resolved. */
public sealed interface KernelParameter {

    /** 32 bits: an integer, or a float by {@link Float#floatToRawIntBits}. */
    record Bits32(int value) implements KernelParameter {}

    /** 64 bits: an integer or an address on the device. */
    record Bits64(long value) implements KernelParameter {}

    /** A number or a struct, as it lies in memory. */
    record Bytes(byte[] content) implements KernelParameter {
        @Override
        public boolean equals(Object other) {
            return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(content);
        }
    }

    /** A tensor map, passed by value. */
    record Map(TensorMap map, long address) implements KernelParameter {}
}
