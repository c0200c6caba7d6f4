package dev.tilewright.space.family;

/**
 * The tile that a cluster of a kernel computes at a time.
 *
 * @param rows of the output, by all CTAs of a cluster
 * @param columns of the output, likewise
 * @param depth elements of K in one block
 * @param clusterSize CTAs of a cluster
 * @param pieces pieces along K into which each tile is cut, of which each has a block at least; 1 leaves tiles whole
 */
public record Blocking(int rows, int columns, int depth, int clusterSize, int pieces) {

    public Blocking {
        requirePositive("rows", rows);
        requirePositive("columns", columns);
        requirePositive("depth", depth);
        requirePositive("clusterSize", clusterSize);
        requirePositive("pieces", pieces);
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, got " + value);
        }
    }
}
