package dev.tilewright.launch;

import dev.tilewright.launch.element.ElementType;
import java.util.ArrayList;
import java.util.List;

/**
 * A buffer in global memory: rows of elements, the last dimension innermost.
 *
 * @param shape extents in elements, outermost first
 * @param rowStride elements from row to row, at least the last extent; what lies between is padding
 * @param fill its content before the launch
 * @param guard bytes on both sides in which any access is out of bounds
 */
public record BufferDescription(String name, ElementType type, List<Long> shape, long rowStride, Fill fill, int guard) {
    /** Bytes on both sides in which any access is out of bounds, where a description does not say it. */
    public static final int USUAL_GUARD = 4096;

    public BufferDescription {
        shape = List.copyOf(shape);
    }

    /** The same with this content. */
    public BufferDescription with(Fill content) {
        return new BufferDescription(name, type, shape, rowStride, content, guard);
    }

    /** Elements of a row. */
    public int columns() {
        return Math.toIntExact(shape.getLast());
    }

    /** All rows of all outer dimensions. */
    public int rows() {
        long rows = 1;
        for (long extent : shape.subList(0, shape.size() - 1)) {
            rows = Math.multiplyExact(rows, extent);
        }
        return Math.toIntExact(rows);
    }

    /** Size in bytes, with what lies between rows. */
    public long bytes() {
        return Math.multiplyExact(Math.multiplyExact(rows(), rowStride), (long) type.bytes());
    }

    /** The byte at which an element begins. */
    public int offset(int row, int column) {
        return (int) ((row * rowStride + column) * type.bytes());
    }

    /** Indices of an element, counted without what lies between rows, such as {@code [3, 17]}. */
    public String index(int element) {
        List<Long> indices = new ArrayList<>();
        long rest = element;
        for (long extent : shape.reversed()) {
            indices.add(rest % extent);
            rest /= extent;
        }
        return indices.reversed().toString();
    }

    @Override
    public String toString() {
        return name + " " + type + shape + (rowStride == columns() ? "" : " row stride " + rowStride) + " " + fill;
    }
}
