package dev.tilewright.emulator.tensor;

import dev.tilewright.ptx.type.ScalarType;
import java.util.List;

/**
 * The content of a CUtensorMap, tiled mode, no interleave; the address comes with the launch. The rules are those of
 * cuTensorMapEncodeTiled.
 *
 * @param type of an element
 * @param dims extents in elements, innermost first, 1 to 5
 * @param strides bytes between neighbours of each dimension but the innermost; 0 where all are the same, as libraries
 *     write it for dimensions of one element
 * @param box extents of the box in elements, innermost first
 * @param elementStrides step of each dimension in elements: of a box's extent every so manieth element is copied; 1 for
 *     the innermost
 * @param fillNan whether elements outside are NaN rather than 0
 * @param reading what becomes of f32 elements on their way to shared memory
 */
public record TensorMap(
        ScalarType type,
        List<Long> dims,
        List<Long> strides,
        List<Integer> box,
        List<Integer> elementStrides,
        Swizzle swizzle,
        boolean fillNan,
        Reading reading) {
    private static final int MAX_BOX = 256;
    private static final int MAX_STEP = 8;
    private static final long MAX_STRIDE = 1L << 40;
    private static final int ALIGNMENT = 16;
    private static final int MAX_RANK = 5;

    /** The conversion that a load applies to elements. */
    public enum Reading {
        /** Bit by bit. */
        AS_STORED,
        /** FLOAT32_FTZ: f32 with subnormals as zeros. */
        FLUSHED,
        /** TFLOAT32: f32 rounded to the nearest tf32. */
        TF32,
        /** TFLOAT32_FTZ: both. */
        TF32_FLUSHED
    }

    public TensorMap {
        dims = List.copyOf(dims);
        strides = List.copyOf(strides);
        box = List.copyOf(box);
        elementStrides = List.copyOf(elementStrides);
        int rank = dims.size();
        require(rank >= 1 && rank <= MAX_RANK, "a rank of 1 to 5", rank);
        require(
                !type.isBits()
                        && type != ScalarType.PRED
                        && type != ScalarType.S8
                        && type != ScalarType.S16
                        && type != ScalarType.F16X2
                        && type != ScalarType.BF16X2
                        && type != ScalarType.F32X2,
                "elements of u8, u16, u32, s32, u64, s64, f16, bf16, f32 or f64",
                type.ptx());
        require(strides.size() == rank - 1, "a stride for each dimension but the innermost", strides);
        require(box.size() == rank, "a box of its rank", box);
        require(elementStrides.size() == rank, "an element stride for each dimension", elementStrides);
        for (int i = 0; i < rank; i++) {
            require(dims.get(i) >= 1 && dims.get(i) <= 1L << 32, "extents of 1..2^32", dims);
            require(box.get(i) >= 1 && box.get(i) <= MAX_BOX, "box extents of 1..256", box);
            require(
                    elementStrides.get(i) >= 1 && elementStrides.get(i) <= MAX_STEP,
                    "element strides of 1..8",
                    elementStrides);
        }
        for (long stride : strides) {
            require(
                    stride % ALIGNMENT == 0 && stride >= 0 && stride < MAX_STRIDE,
                    "strides of multiples of 16 bytes below 2^40",
                    strides);
        }
        int row = box.getFirst() * type.bytes();
        require(row % ALIGNMENT == 0, "box rows of multiples of 16 bytes", row);
        require(swizzle == Swizzle.NONE || row <= swizzle.span(), "box rows within the span of the swizzle", row);
        require(!fillNan || type.isFloat(), "a float type to be filled with NaN", type.ptx());
        require(elementStrides.getFirst() == 1, "an innermost element stride of 1", elementStrides);
        require(
                reading == Reading.AS_STORED || type == ScalarType.F32,
                "f32 elements to be flushed or rounded",
                type.ptx());
    }

    /** A map that reads elements as they are stored. */
    public TensorMap(
            ScalarType type,
            List<Long> dims,
            List<Long> strides,
            List<Integer> box,
            List<Integer> elementStrides,
            Swizzle swizzle,
            boolean fillNan) {
        this(type, dims, strides, box, elementStrides, swizzle, fillNan, Reading.AS_STORED);
    }

    /** Requires that a tensor may begin at this address. */
    public static void requireAddress(long address) {
        require(address % ALIGNMENT == 0, "an address that is a multiple of 16", "0x" + Long.toHexString(address));
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

    /**
     * The map by which four rows are copied that need not be neighbours: its box has four rows, where it had one. PTX
     * 5.5.3.4.
     *
     * @throws IllegalArgumentException if it is no map of two dimensions with a box of one row
     */
    public TensorMap fourRows() {
        require(rank() == 2, "two dimensions for a copy of four rows", rank());
        require(box.getLast() == 1, "a box of one row for a copy of four rows", box);
        return new TensorMap(
                type, dims, strides, List.of(box.getFirst(), 4), elementStrides, swizzle, fillNan, reading);
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

    /** Elements of the box along a dimension. */
    int steps(int dimension) {
        return Math.ceilDiv(box.get(dimension), elementStrides.get(dimension));
    }

    /** Rows of the box: the product of its outer steps. */
    public int rows() {
        int rows = 1;
        for (int i = 1; i < rank(); i++) {
            rows *= steps(i);
        }
        return rows;
    }

    /** Bytes of a full box, what a load counts on its barrier. */
    public int boxBytes() {
        return rows() * rowBytes();
    }

    /** The bits of an element as a load leaves them. */
    public long read(long bits) {
        return switch (reading) {
            case AS_STORED -> bits;
            case FLUSHED -> flush((int) bits);
            case TF32 -> round((int) bits);
            case TF32_FLUSHED -> round(flush((int) bits));
        };
    }

    private static int flush(int bits) {
        return (bits & 0x7F80_0000) == 0 ? bits & 0x8000_0000 : bits;
    }

    /** To 10 bits of mantissa, ties to even; infinities and NaNs stay. */
    private static int round(int bits) {
        if ((bits & 0x7F80_0000) == 0x7F80_0000) {
            return bits;
        }
        return bits + 0xFFF + (bits >>> 13 & 1) & 0xFFFF_E000;
    }

    /** Alignment in shared memory, bytes. */
    public int sharedAlignment() {
        return 128;
    }
}
