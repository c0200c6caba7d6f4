package dev.tilewright.gemm.mainloop;

import dev.tilewright.model.problem.Major;

/**
 * What lies in a stage of one CTA: the tile of A, then that of B.
 *
 * @param slots number of stages
 */
public record StageLayout(int slots, OperandTile a, OperandTile b) {

    /**
     * Of K-major operands.
     *
     * @param rowsA rows of A
     * @param rowsB rows of B
     * @param rowElements elements of a row of one panel
     * @param elementBytes bytes of an element
     * @param panels panels side by side along K
     */
    public StageLayout(int slots, int rowsA, int rowsB, int rowElements, int elementBytes, int panels) {
        this(
                slots,
                new OperandTile(Major.K, rowsA, rowElements * panels, elementBytes, rowElements * elementBytes),
                new OperandTile(Major.K, rowsB, rowElements * panels, elementBytes, rowElements * elementBytes));
    }

    /** Rows of A. */
    public int rowsA() {
        return a.rows();
    }

    /** Rows of B. */
    public int rowsB() {
        return b.rows();
    }

    /** Elements of a row of one panel, of K-major operands. */
    public int rowElements() {
        return a.spanElements();
    }

    /** Bytes of a row of one panel, the span of its swizzle. */
    public int rowBytes() {
        return a.span();
    }

    /** Panels side by side along K. */
    public int panels() {
        return Math.max(a.panelsAlongK(), b.panelsAlongK());
    }

    /** Elements along K. */
    public int tileK() {
        return a.depth();
    }

    /** Bytes of a stage's part of A. */
    public int bytesA() {
        return a.bytes();
    }

    /** Bytes of a stage's part of B. */
    public int bytesB() {
        return b.bytes();
    }

    /** Bytes of a stage: A, then B. */
    public int bytes() {
        return bytesA() + bytesB();
    }
}
