package dev.tilewright.gemm.mainloop;

/**
 * What lies in a stage of one CTA: the rows of A, then those of B. A row that is longer than a swizzle is cut into
 * panels: all rows of the first panel, then all rows of the next.
 *
 * @param slots number of stages
 * @param rowsA rows of A
 * @param rowsB rows of B
 * @param rowElements elements of a row of one panel
 * @param elementBytes bytes of an element
 * @param panels panels side by side along K
 */
public record StageLayout(int slots, int rowsA, int rowsB, int rowElements, int elementBytes, int panels) {

    /** Bytes of a row of one panel, the span of its swizzle. */
    public int rowBytes() {
        return rowElements * elementBytes;
    }

    /** Elements along K. */
    public int tileK() {
        return rowElements * panels;
    }

    /** Bytes of a stage's part of A. */
    public int bytesA() {
        return rowsA * rowBytes() * panels;
    }

    /** Bytes of a stage's part of B. */
    public int bytesB() {
        return rowsB * rowBytes() * panels;
    }

    /** Bytes of a stage: A, then B. */
    public int bytes() {
        return bytesA() + bytesB();
    }
}
