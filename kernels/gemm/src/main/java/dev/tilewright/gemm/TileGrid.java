package dev.tilewright.gemm;

import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;

/**
 * The output cut into tiles, and the tiles into cluster tiles. A scheduler hands out cluster tiles; where the tile
 * counts are no multiple of the cluster, the last ones hold padding tiles, which take part in barriers and multicast
 * but store nothing.
 *
 * @param tilesM rows of CTA tiles that hold output
 * @param tilesN columns of CTA tiles that hold output
 * @param clusterM CTAs of a cluster along M
 * @param clusterN CTAs of a cluster along N
 * @param clusterK CTAs of a cluster that share the depth of a tile
 * @param splitK pieces of a tile along K, for clusters of their own
 */
public record TileGrid(int tilesM, int tilesN, int clusterM, int clusterN, int clusterK, int splitK)
        implements TileNumbering {

    /** Of tiles that are not split. */
    public TileGrid(int tilesM, int tilesN, int clusterM, int clusterN) {
        this(tilesM, tilesN, clusterM, clusterN, 1, 1);
    }

    /** The grid of a shape under the parameters of the config that are named as its components. */
    public static TileGrid of(ProblemShape shape, Config config) {
        return new TileGrid(
                Math.ceilDiv(shape.m(), ctaRows(config)),
                Math.ceilDiv(shape.n(), config.whole("tileN")),
                config.whole("clusterM"),
                config.whole("clusterN"),
                config.whole("clusterK", 1),
                config.whole("splitK", 1));
    }

    /** Rows of a CTA's tile: where the config has a {@code ctaGroup}, its CTAs share the {@code tileM} rows. */
    public static int ctaRows(Config config) {
        return config.whole("tileM") / (config.has("ctaGroup") ? config.whole("ctaGroup") : 1);
    }

    /** Rows of cluster tiles. */
    public int clusterTilesM() {
        return Math.ceilDiv(tilesM, clusterM);
    }

    /** Columns of cluster tiles. */
    public int clusterTilesN() {
        return Math.ceilDiv(tilesN, clusterN);
    }

    @Override
    public int clusterTiles() {
        return Math.multiplyExact(clusterTilesM(), clusterTilesN());
    }

    @Override
    public int pieces() {
        return Math.multiplyExact(clusterTiles(), splitK);
    }

    @Override
    public int clusterSize() {
        return clusterM * clusterN * clusterK;
    }

    @Override
    public boolean isPadding(int piece, int tileM, int tileN) {
        return isPadding(tileM, tileN);
    }

    /** Whether the CTA tile lies outside the output. */
    public boolean isPadding(int tileM, int tileN) {
        return tileM >= tilesM || tileN >= tilesN;
    }
}
