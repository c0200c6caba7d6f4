package dev.tilewright.gemm;

import dev.tilewright.gemm.space.TileLocation;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;

/** The cluster tiles of a problem, numbered from 0: what a tile scheduler hands out. */
public sealed interface TileNumbering permits TileGrid, TileTable {

    /**
     * The cluster tiles of a problem under a config.
     *
     * @throws IllegalArgumentException if the problem is of several GEMMs and the config computes one
     */
    static TileNumbering of(Problem problem, Config config) {
        return switch (TileLocation.of(config)) {
            case TABLE -> TileTable.of(problem, config);
            case RASTER -> {
                if (!problem.isSingle()) {
                    throw new IllegalArgumentException("groups = "
                            + problem.groups().size() + " and batch = " + problem.batch() + ": several GEMMs need "
                            + TileLocation.PARAMETER + " = " + TileLocation.TABLE + ", got " + config.canonical());
                }
                yield TileGrid.of(problem.shape(), config);
            }
        };
    }

    /** How many there are. */
    int clusterTiles();

    /** CTAs of a cluster. */
    int clusterSize();

    /** Whether a CTA's part of a cluster tile lies outside the output. */
    boolean isPadding(int clusterTile, int tileM, int tileN);

    /** CTA tiles that hold output or padding. */
    default int allTiles() {
        return Math.multiplyExact(clusterTiles(), clusterSize());
    }
}
