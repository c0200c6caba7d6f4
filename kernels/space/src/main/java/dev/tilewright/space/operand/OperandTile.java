package dev.tilewright.space.operand;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandRole;

/**
 * The tile of one operand in a stage of a CTA: its layout, and the part of it that the CTA loads. A swizzle spans
 * neighbours in memory, so that the tile is cut into panels one span wide:
 *
 * <pre>
 *   K-major   all rows x one span of K, then all rows x the next span of K
 *   MN-major  one span of rows x all K, then the next span of rows x all K
 * </pre>
 *
 * A line of a panel is a row of the operand if K-major, and the rows' elements of one k if MN-major.
 *
 * @param element type of an element
 * @param major k, or the dimension of the operand's rows
 * @param rows along M or N
 * @param depth elements along K
 * @param span bytes of the swizzle, the length of a line of a panel
 * @param sharers CTAs of a cluster that load the tile for each other; 1: each loads its own
 * @throws IllegalArgumentException if the lines of the major dimension are not whole spans
 */
public record OperandTile(OperandRole role, DataType element, Major major, int rows, int depth, int span, int sharers) {

    /** Most rows of a box of TMA. */
    private static final int MAX_BOX_ROWS = 256;

    /** Rows after which a swizzle repeats: the part of a tile that one CTA loads begins at a multiple. */
    private static final int SWIZZLE_ROWS = 8;

    public OperandTile {
        int along = major == Major.K ? depth : rows;
        if (along * element.bytes() % span != 0) {
            throw new IllegalArgumentException("an operand's " + along + " elements of " + element.bytes()
                    + " bytes along " + major + " must be whole spans of " + span + " bytes");
        }
    }

    /** Rows that a CTA loads at a time: its slice of those that are shared, or all of them in its turn. */
    public static int loadedRows(int rows, int sharers) {
        return isSliced(rows, sharers) ? rows / sharers : rows;
    }

    private static boolean isSliced(int rows, int sharers) {
        return rows % (SWIZZLE_ROWS * sharers) == 0;
    }

    /** Whether neighbours along K are neighbours in memory. */
    public boolean kMajor() {
        return major == Major.K;
    }

    /** Elements of a line of a panel. */
    public int spanElements() {
        return span / element.bytes();
    }

    /** Bytes of the tile. */
    public int bytes() {
        return rows * depth * element.bytes();
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
        return kMajor() ? span : depth * element.bytes();
    }

    /** Whether several CTAs load it for each other. */
    public boolean isShared() {
        return sharers > 1;
    }

    /**
     * Whether each of the CTAs that share it loads an equal slice; otherwise one loads all rows of a block, in turn.
     */
    public boolean isSliced() {
        return isSliced(rows, sharers);
    }

    /** Rows that a CTA loads at a time. */
    public int loadedRows() {
        return loadedRows(rows, sharers);
    }

    /** Rows that a box of TMA brings: as many as there can be if K-major, a span of them if MN-major. */
    public int boxRows() {
        return kMajor() ? loadedRows() / Math.ceilDiv(loadedRows(), MAX_BOX_ROWS) : spanElements();
    }

    /** Lines of a box of TMA: rows of the operand if K-major, elements along K if MN-major. */
    public int boxLines() {
        return kMajor() ? boxRows() : depth;
    }
}
