package dev.tilewright.worker.gpu.cuda;

import dev.tilewright.launch.TensorMap;
import java.util.Arrays;

/** A parameter of a kernel with its value, addresses resolved. */
public sealed interface KernelArgument {

    /** 32 bits: an integer, or a float by {@link Float#floatToRawIntBits}. */
    record Bits32(int value) implements KernelArgument {}

    /** 64 bits: an integer or an address on the device. */
    record Bits64(long value) implements KernelArgument {}

    /** A number or a struct, as it lies in memory. */
    record Bytes(byte[] content) implements KernelArgument {
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
    record Map(TensorMap map, long address) implements KernelArgument {}
}
