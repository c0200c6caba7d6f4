package dev.tilewright.gemm;

import dev.tilewright.space.share.StreamShares;

/**
 * The tiles of one output, of which the clusters of a grid share the first ones along K. Numbers are those of the
 * shares: pieces, then whole tiles.
 *
 * @param grid the output cut into tiles
 * @param shares of its cluster tiles
 */
public record StreamGrid(TileGrid grid, StreamShares shares) implements TileNumbering {

    public StreamGrid {
        if (shares.tiles() != grid.clusterTiles()) {
            throw new IllegalArgumentException(
                    "shares of " + shares.tiles() + " tiles for a grid of " + grid.clusterTiles());
        }
    }

    /** A problem under a config, by the clusters of a launch. */
    static StreamGrid of(TileGrid grid, int kBlocks, int clusters) {
        return new StreamGrid(grid, new StreamShares(grid.clusterTiles(), kBlocks, clusters));
    }

    @Override
    public int clusterTiles() {
        return grid.clusterTiles();
    }

    @Override
    public int pieces() {
        return shares.numbers();
    }

    @Override
    public boolean isHandedOut(int piece) {
        return shares.isHandedOut(piece);
    }

    @Override
    public int clusterSize() {
        return grid.clusterSize();
    }

    @Override
    public boolean isPadding(int piece, int tileM, int tileN) {
        return grid.isPadding(tileM, tileN);
    }

    /** Pieces of CTA tiles that leave sums for others, and those whose numbers are left out. */
    public int sharedPieces() {
        return Math.multiplyExact(shares.firstWhole(), clusterSize());
    }

    /** CTA tiles that are cut. */
    public int sharedTiles() {
        return Math.multiplyExact(shares.sharedTiles(), clusterSize());
    }
}
