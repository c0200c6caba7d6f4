package dev.tilewright.space.share;

/**
 * Stream-K: the tiles that a grid cannot deal out in whole waves are cut into as many equal shares as there are
 * clusters. The shared tiles are the first ones, R of them; their blocks of K lie one tile behind the other, R * B in
 * all, and cluster c has the c-th share of this line. A share is less than a tile, as R is less than the number of
 * clusters, but it may begin in one tile and end in the next.
 *
 * <pre>
 *   blocks    |      tile 0       |      tile 1       |      tile 2       |     R = 3 tiles of B = 10 blocks, 4 clusters
 *   shares    |       0       |       1       |      2      |      3      |     8 + 8 + 7 + 7 blocks
 *   pieces    |       0       | 1 |     2     |   3   |  4  |      5      |     of clusters 0, 1 1, 2 2, 3
 * </pre>
 *
 * <p>The first {@code longer} shares have one block more than the others. What a cluster has of a tile is a piece, with
 * the number c + t of cluster and tile. Along the line each piece has a larger number than the one before; the pieces
 * of a tile are neighbours; where a share begins with a tile, one number is left out. The numbers of the other tiles,
 * which are dealt whole, follow those of all pieces.
 *
 * @param tiles of the problem
 * @param blocks of K of each
 * @param clusters of the grid
 */
public record StreamShares(int tiles, int blocks, int clusters) {

    /**
     * What a cluster has of a shared tile.
     *
     * @param number its number among all that is handed out
     * @param tile number of the tile
     * @param firstBlock blocks of the tile before it
     * @param blocks that it has, at least 1
     */
    public record Piece(int number, int tile, int firstBlock, int blocks) {}

    public StreamShares {
        if (tiles < 1 || blocks < 1 || clusters < 1) {
            throw new IllegalArgumentException(
                    "tiles, blocks and clusters must be positive, got " + tiles + ", " + blocks + " and " + clusters);
        }
        long line = (long) (tiles % clusters) * blocks;
        if (line > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(tiles % clusters + " tiles of " + blocks + " blocks that "
                    + clusters + " clusters share are " + line + " blocks, more than " + Integer.MAX_VALUE
                    + ": their numbers are 32-bit");
        }
    }

    /** Tiles that are cut: those of the last wave, if it is not full. They come first. */
    public int sharedTiles() {
        return tiles % clusters;
    }

    /** Blocks of a share, of the longer ones one less than they have. */
    public int shareBlocks() {
        return sharedTiles() * blocks / clusters;
    }

    /** Shares with one block more, those of the first clusters. */
    public int longer() {
        return sharedTiles() * blocks % clusters;
    }

    /** Blocks of the shared tiles before the share of a cluster. */
    public int start(int cluster) {
        return cluster * shareBlocks() + Math.min(cluster, longer());
    }

    /** The number of the first tile that is dealt whole. */
    public int firstWhole() {
        return sharedTiles() == 0 ? 0 : clusters + sharedTiles() - 1;
    }

    /** Numbers of all pieces and whole tiles, those that are left out among them. */
    public int numbers() {
        return firstWhole() + tiles - sharedTiles();
    }

    /** Pieces that a cluster has: none, one or two. */
    public int pieces(int cluster) {
        int start = start(cluster);
        int end = start(cluster + 1);
        return start == end ? 0 : (end - 1) / blocks - start / blocks + 1;
    }

    /**
     * A piece of a cluster.
     *
     * @param index less than {@link #pieces}
     */
    public Piece piece(int cluster, int index) {
        int tile = start(cluster) / blocks + index;
        int before = tile * blocks;
        int first = Math.max(start(cluster), before);
        int end = Math.min(start(cluster + 1), before + blocks);
        return new Piece(cluster + tile, tile, first - before, end - first);
    }

    /** The cluster that has a block of the shared tiles. */
    public int owner(int block) {
        int ofLonger = longer() * (shareBlocks() + 1);
        return block < ofLonger ? block / (shareBlocks() + 1) : longer() + (block - ofLonger) / shareBlocks();
    }

    /** Into how many pieces a shared tile is cut. */
    public int piecesOfTile(int tile) {
        return owner((tile + 1) * blocks - 1) - owner(tile * blocks) + 1;
    }

    /** Whether a number is a piece or a whole tile, and not left out. */
    public boolean isHandedOut(int number) {
        if (number >= firstWhole()) {
            return number < numbers();
        }
        int cluster = clusterOf(number);
        int index = number - firstPiece(cluster);
        return index >= 0 && index < pieces(cluster);
    }

    /**
     * The piece with a number.
     *
     * @throws IllegalArgumentException if no piece has it
     */
    public Piece piece(int number) {
        if (number < 0 || number >= firstWhole() || !isHandedOut(number)) {
            throw new IllegalArgumentException("no piece has the number " + number);
        }
        int cluster = clusterOf(number);
        return piece(cluster, number - firstPiece(cluster));
    }

    private int firstPiece(int cluster) {
        return cluster + start(cluster) / blocks;
    }

    /** The last cluster whose first piece has no larger number. */
    private int clusterOf(int number) {
        int low = 0;
        int high = clusters - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (firstPiece(middle) <= number) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
