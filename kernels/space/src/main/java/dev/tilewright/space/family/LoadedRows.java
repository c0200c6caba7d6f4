package dev.tilewright.space.family;

/**
 * Which rows of a tile one CTA loads at a time where several CTAs need the same ones. The loader's text and the tensor
 * maps follow from it alike: a stage is full when the bytes of both agree.
 */
public final class LoadedRows {

    /** Most rows of a box of TMA. */
    private static final int MAX_BOX_ROWS = 256;
    /** Rows after which a swizzle repeats: the part of a tile that one CTA loads begins at a multiple. */
    private static final int SWIZZLE_ROWS = 8;

    private LoadedRows() {}

    /** Whether each CTA loads an equal slice; otherwise they alternate, and one loads all rows of a block. */
    public static boolean cut(int rows, int ctas) {
        return rows % (SWIZZLE_ROWS * ctas) == 0;
    }

    /** Rows that one CTA loads at a time. */
    public static int of(int rows, int ctas) {
        return cut(rows, ctas) ? rows / ctas : rows;
    }

    /** Rows of each of the boxes, as few as there can be, in which a CTA loads K-major rows. */
    public static int boxRows(int loaded) {
        return loaded / Math.ceilDiv(loaded, MAX_BOX_ROWS);
    }
}
