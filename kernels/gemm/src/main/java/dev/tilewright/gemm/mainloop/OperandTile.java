package dev.tilewright.gemm.mainloop;

import dev.tilewright.model.problem.Major;

/**
 * How the tile of one operand lies in a stage. A swizzle spans neighbours in memory, so that the tile is cut into
 * panels one span wide:
 *
 * <pre>
 *   K-major   all rows x one span of K, then all rows x the next span of K
 *   MN-major  one span of rows x all K, then the next span of rows x all K
 * </pre>
 *
 * A line of a panel is a row of the operand if K-major, and the rows' elements of one k if MN-major.
 *
 * @param major k, or the operand's other dimension
 * @param rows along M or N
 * @param depth elements along K
 * @param elementBytes bytes of an element
 * @param span bytes of the swizzle, the length of a line of a panel
 * @throws IllegalArgumentException if the lines of the major dimension are not whole spans
 */
public record OperandTile(Major major, int rows, int depth, int elementBytes, int span) {

    public OperandTile {
        int along = major == Major.K ? depth : rows;
        if (along * elementBytes % span != 0) {
            throw new IllegalArgumentException("an operand's " + along + " elements of " + elementBytes
                    + " bytes along " + major + " must be whole spans of " + span + " bytes");
        }
    }

    /** Whether neighbours along K are neighbours in memory. */
    public boolean kMajor() {
        return major == Major.K;
    }

    /** Elements of a line of a panel. */
    public int spanElements() {
        return span / elementBytes;
    }

    /** Bytes of the tile. */
    public int bytes() {
        return rows * depth * elementBytes;
    }

    /** Panels side by side along K. */
    public int panelsAlongK() {
        return kMajor() ? depth / spanElements() : 1;
    }

    /** Bytes from a panel to the next. */
    public int panelBytes() {
        return span * (kMajor() ? rows : depth);
    }

    /**
     * Bytes for each row that a part of the rows lies behind the start of the tile: it begins at a multiple of 8 rows
     * if K-major, of a span if MN-major.
     */
    public int rowStep() {
        return kMajor() ? span : depth * elementBytes;
    }
}
