package dev.tilewright.proof;

/**
 * An extent of a problem, cut into blocks, and the smaller extents with the same tail.
 *
 * @param asked elements
 * @param block elements of a whole block
 */
record Extent(int asked, int block) {

    /** Blocks of the extent, that of the tail included. */
    int blocks() {
        return Math.ceilDiv(asked, block);
    }

    /** The fewest blocks that still have a whole one beside that of the tail, and an index that counts. */
    int fewest() {
        return Math.min(blocks(), 2);
    }

    /** Elements of whole blocks that hold so many elements. */
    double padded(int elements) {
        return (double) Math.ceilDiv(elements, block) * block;
    }

    /** The extent of that many blocks, elements. */
    int of(int blocks) {
        return asked - (blocks() - blocks) * block;
    }
}
