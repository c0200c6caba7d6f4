package dev.tilewright.gemm;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.parameter.TileLocation;

/**
 * The cluster tiles of a problem, and their pieces along K, numbered from 0: what a tile scheduler hands out. A tile
 * that is not split is one piece.
 */
public sealed interface TileNumbering permits TileGrid, TileTable {

    /**
     * The cluster tiles of a problem under a config.
     *
     * @throws IllegalArgumentException if the problem is of several GEMMs and the config computes one
     */
    static TileNumbering of(Problem problem, Config config) {
        return switch (TileLocation.KEY.of(config)) {
            case TABLE -> TileTable.of(problem, config);
            case RASTER -> {
                if (!problem.isSingle()) {
                    throw new IllegalArgumentException("groups = "
                            + problem.groups().size() + " and batch = " + problem.batch() + ": several GEMMs need "
                            + TileLocation.KEY.name() + " = " + TileLocation.TABLE + ", got " + config.canonical());
                }
                yield TileGrid.of(problem.shape(), config);
            }
        };
    }

    /** How many there are. */
    int clusterTiles();

    /** Numbers of the pieces of all cluster tiles; those of a tile are neighbours. */
    int pieces();

    /** CTAs of a cluster. */
    int clusterSize();

    /** Whether a CTA's part of a piece lies outside the output. */
    boolean isPadding(int piece, int tileM, int tileN);

    /** CTA tiles that hold output or padding. */
    default int allTiles() {
        return Math.multiplyExact(clusterTiles(), clusterSize());
    }

    /** Pieces of CTA tiles that hold output or padding. */
    default int allPieces() {
        return Math.multiplyExact(pieces(), clusterSize());
    }
}
