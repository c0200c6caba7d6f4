package dev.tilewright.launch;

import dev.tilewright.launch.element.ElementType;
import java.util.List;

/**
 * A tiled tensor map without interleave, under the rules of cuTensorMapEncodeTiled. The emulator has a map of its own,
 * which knows what a load does with it; this one is what a file says.
 *
 * @param dims extents in elements, innermost first, 1 to 5
 * @param strides bytes between neighbours of each dimension but the innermost; multiples of 16
 * @param box extents of the box in elements, innermost first, each 1 to 256
 * @param elementStrides step of each dimension in elements, each 1 to 8; 1 for the innermost
 * @param swizzleBytes span of the swizzle: 0 for none, 32, 64 or 128
 * @param fillNan whether elements outside are NaN rather than 0
 * @param promotionBytes how much L2 fetches from memory at once: 0 for no more than is asked for, 64, 128 or 256
 */
public record TensorMap(
        ElementType type,
        List<Long> dims,
        List<Long> strides,
        List<Integer> box,
        List<Integer> elementStrides,
        int swizzleBytes,
        boolean fillNan,
        int promotionBytes) {
    private static final int MAX_RANK = 5;
    private static final int CHUNK = 16;

    public TensorMap {
        dims = List.copyOf(dims);
        strides = List.copyOf(strides);
        box = List.copyOf(box);
        elementStrides = List.copyOf(elementStrides);
        int rank = dims.size();
        require(rank >= 1 && rank <= MAX_RANK, "a rank of 1 to 5", rank);
        require(type != ElementType.S8 && type != ElementType.S16, "elements that TMA knows", type);
        require(strides.size() == rank - 1, "a stride for each dimension but the innermost", strides);
        require(box.size() == rank, "a box of its rank", box);
        require(elementStrides.size() == rank, "an element stride for each dimension", elementStrides);
        requireWithin(dims, 1L << 32, "extents of 1..2^32");
        requireWithin(box, 256, "box extents of 1..256");
        requireWithin(elementStrides, 8, "element strides of 1..8");
        for (long stride : strides) {
            require(
                    stride % CHUNK == 0 && stride >= 0 && stride < 1L << 40,
                    "strides of multiples of 16 bytes below 2^40",
                    strides);
        }
        int row = box.getFirst() * type.bytes();
        require(row % CHUNK == 0, "box rows of multiples of 16 bytes", row);
        require(swizzleBytes == 0 || row <= swizzleBytes, "box rows within the span of the swizzle", row);
        require(!fillNan || type.isFloat() && type.bytes() > 1, "a float type to be filled with NaN", type);
        require(elementStrides.getFirst() == 1, "an innermost element stride of 1", elementStrides);
    }

    private static void requireWithin(List<? extends Number> values, long most, String rule) {
        for (Number value : values) {
            require(value.longValue() >= 1 && value.longValue() <= most, rule, values);
        }
    }

    private static void require(boolean kept, String rule, Object value) {
        if (!kept) {
            throw new IllegalArgumentException("a tensor map needs " + rule + ", got " + value);
        }
    }

    public int rank() {
        return dims.size();
    }
}
