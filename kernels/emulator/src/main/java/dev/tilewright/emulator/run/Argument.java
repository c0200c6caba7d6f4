package dev.tilewright.emulator.run;

import dev.tilewright.emulator.tensor.MapImage;
import dev.tilewright.emulator.tensor.TensorMap;
import java.util.Arrays;
import java.util.List;

/** A kernel argument, in the order of the entry's parameters. */
public sealed interface Argument {
    /** A 32-bit scalar, also the bits of an f32. */
    record Scalar32(int bits) implements Argument {}

    /** A 64-bit scalar. */
    record Scalar64(long bits) implements Argument {}

    /** The address of a byte of a buffer. */
    record Pointer(String buffer, long offset) implements Argument {}

    /** A tensor map by value, over a buffer. */
    record Map(String buffer, long offset, TensorMap map) implements Argument {}

    /**
     * Bytes by value: a struct, or a scalar of any size. Pointers and tensor maps, whose bytes only a launch knows, are
     * laid over them.
     *
     * @param content as many bytes as the parameter has; never written to
     */
    record Bytes(byte[] content, List<Patch> patches) implements Argument {
        public Bytes {
            patches = List.copyOf(patches);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Bytes b && Arrays.equals(content, b.content) && patches.equals(b.patches);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(content) * 31 + patches.hashCode();
        }

        @Override
        public String toString() {
            return content.length + " bytes by value";
        }
    }

    /**
     * An argument at an offset within bytes by value.
     *
     * @param offset in bytes, of its first byte
     * @param argument a {@link Pointer} or a {@link Map}
     */
    record Patch(int offset, Argument argument) {
        public Patch {
            if (offset < 0 || !(argument instanceof Pointer || argument instanceof Map)) {
                throw new IllegalArgumentException(
                        "a patch is a pointer or a tensor map at an offset of 0 or more, got " + argument + " at "
                                + offset);
            }
        }

        /** Bytes that it takes. */
        public int bytes() {
            return argument instanceof Map ? MapImage.BYTES : Long.BYTES;
        }
    }
}
