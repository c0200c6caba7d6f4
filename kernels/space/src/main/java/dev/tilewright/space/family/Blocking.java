package dev.tilewright.space.family;

/**
 * The tile that a cluster of a kernel computes at a time.
 *
 * @param rows of the output, by all CTAs of a cluster
 * @param columns of the output, likewise
 * @param depth elements of K in one block
 * @param clusterSize CTAs of a cluster
 * @param pieces pieces along K into which each tile is cut, of which each has a block at least; 1 leaves tiles whole
 * @param parts CTAs of a cluster that share the depth of a tile or a piece, of which each has a block at least
 */
public record Blocking(int rows, int columns, int depth, int clusterSize, int pieces, int parts) {

    /** Of clusters whose CTAs have a tile each. */
    public Blocking(int rows, int columns, int depth, int clusterSize, int pieces) {
        this(rows, columns, depth, clusterSize, pieces, 1);
    }

    public Blocking {
        requirePositive("rows", rows);
        requirePositive("columns", columns);
        requirePositive("depth", depth);
        requirePositive("clusterSize", clusterSize);
        requirePositive("pieces", pieces);
        requirePositive("parts", parts);
    }

    /** The fewest blocks of K that a tile has. */
    public int fewestBlocks() {
        return pieces * parts;
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, got " + value);
        }
    }
}
