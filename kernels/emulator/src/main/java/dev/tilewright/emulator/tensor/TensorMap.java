package dev.tilewright.emulator.tensor;

import dev.tilewright.ptx.type.ScalarType;
import java.util.List;

/**
 * What a CUtensorMap says, tiled mode, no interleave; the address comes with the launch.
 *
 * @param type of an element
 * @param dims extents in elements, innermost first, 1 to 5
 * @param strides bytes between neighbours of each dimension but the innermost
 * @param box extents of the box in elements, innermost first
 * @param elementStrides step of each dimension in elements; 1 for the innermost
 * @param fillNan whether elements outside are NaN rather than 0
 */
public record TensorMap(
        ScalarType type,
        List<Long> dims,
        List<Long> strides,
        List<Integer> box,
        List<Integer> elementStrides,
        Swizzle swizzle,
        boolean fillNan) {
    private static final int MAX_BOX = 256;
    private static final long MAX_STRIDE = 1L << 40;

    public TensorMap {
        dims = List.copyOf(dims);
        strides = List.copyOf(strides);
        box = List.copyOf(box);
        elementStrides = List.copyOf(elementStrides);
        int rank = dims.size();
        require(rank >= 1 && rank <= 5, "a rank of 1 to 5", rank);
        require(strides.size() == rank - 1, "a stride for each dimension but the innermost", strides);
        require(box.size() == rank, "a box of its rank", box);
        require(elementStrides.size() == rank, "an element stride for each dimension", elementStrides);
        for (int i = 0; i < rank; i++) {
            require(dims.get(i) >= 1 && dims.get(i) <= 1L << 32, "extents of 1..2^32", dims);
            require(box.get(i) >= 1 && box.get(i) <= MAX_BOX, "box extents of 1..256", box);
            require(
                    elementStrides.get(i) >= 1 && elementStrides.get(i) <= 8,
                    "element strides of 1..8",
                    elementStrides);
        }
        for (long stride : strides) {
            require(stride % 16 == 0 && stride > 0 && stride < MAX_STRIDE, "strides of multiples of 16 bytes", strides);
        }
        int row = box.getFirst() * type.bytes();
        require(row % 16 == 0, "box rows of multiples of 16 bytes", row);
        require(swizzle == Swizzle.NONE || row <= swizzle.span(), "box rows within the span of the swizzle", row);
        require(!fillNan || type.isFloat(), "a float type to be filled with NaN", type.ptx());
        require(elementStrides.getFirst() == 1, "an innermost element stride of 1", elementStrides);
    }

    /** A map with element strides of 1 and zeros outside. */
    public static TensorMap tiled(
            ScalarType type, List<Long> dims, List<Long> strides, List<Integer> box, Swizzle swizzle) {
        return new TensorMap(type, dims, strides, box, dims.stream().map(d -> 1).toList(), swizzle, false);
    }

    private static void require(boolean kept, String rule, Object value) {
        if (!kept) {
            throw new IllegalArgumentException("a tensor map needs " + rule + ", got " + value);
        }
    }

    public int rank() {
        return dims.size();
    }

    /** Bytes of a row of the box. */
    public int rowBytes() {
        return box.getFirst() * type.bytes();
    }

    /** Bytes from row to row in shared memory: those of the row, or the swizzle's span where that is more. */
    public int pitch() {
        return Math.max(rowBytes(), swizzle.span());
    }

    /** Rows of the box: the product of its outer extents. */
    public int rows() {
        int rows = 1;
        for (int i = 1; i < rank(); i++) {
            rows *= box.get(i);
        }
        return rows;
    }

    /** Bytes of a full box, what a load counts on its barrier. */
    public int boxBytes() {
        return rows() * rowBytes();
    }

    /** Alignment in shared memory, bytes. */
    public int sharedAlignment() {
        return 128;
    }
}
