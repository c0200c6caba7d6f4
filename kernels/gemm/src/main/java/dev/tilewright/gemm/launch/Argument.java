package dev.tilewright.gemm.launch;

import dev.tilewright.model.problem.DataType;
import java.util.List;

/** A kernel parameter, in the order of the entry's parameters. */
public sealed interface Argument {

    /** A 32-bit scalar. */
    record U32(int value) implements Argument {}

    /** A float, by what it stands for. */
    record F32(FloatRole role, float value) implements Argument {}

    /** A 64-bit scalar. */
    record U64(long value) implements Argument {}

    /** A 64-bit pointer into a buffer. */
    record Pointer(BufferRole buffer, long offsetBytes) implements Argument {}

    /**
     * A tensor map of 128 bytes, passed by value, over a buffer.
     *
     * @param dims extents in elements, innermost first, 1 to 5 of them
     * @param strides bytes between neighbours of each dimension but the innermost; multiples of 16
     * @param box extents of the box in elements, innermost first, each 1..256
     * @param promotionBytes L2 promotion: 0, 64, 128 or 256
     */
    record TensorMap(
            BufferRole buffer,
            long offsetBytes,
            DataType type,
            List<Long> dims,
            List<Long> strides,
            List<Integer> box,
            Swizzle swizzle,
            int promotionBytes)
            implements Argument {

        public TensorMap {
            dims = List.copyOf(dims);
            strides = List.copyOf(strides);
            box = List.copyOf(box);
            if (dims.isEmpty() || dims.size() > 5 || box.size() != dims.size() || strides.size() != dims.size() - 1) {
                throw new IllegalArgumentException("a tensor map of rank " + dims.size() + " has " + strides.size()
                        + " strides and a box of rank " + box.size());
            }
            for (long stride : strides) {
                if (stride % 16 != 0) {
                    throw new IllegalArgumentException(
                            "strides of a tensor map are multiples of 16 bytes, got " + stride);
                }
            }
            for (int extent : box) {
                if (extent < 1 || extent > 256) {
                    throw new IllegalArgumentException("box extents of a tensor map are 1..256, got " + extent);
                }
            }
            int rowBytes = box.getFirst() * type.bytes();
            if (rowBytes % 16 != 0 || (swizzle != Swizzle.NONE && rowBytes > swizzle.bytes())) {
                throw new IllegalArgumentException(
                        "a box row is a multiple of 16 bytes and at most the swizzle span of " + swizzle.bytes()
                                + ", got " + rowBytes);
            }
        }
    }
}
