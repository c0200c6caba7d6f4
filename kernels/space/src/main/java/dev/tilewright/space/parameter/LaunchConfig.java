package dev.tilewright.space.parameter;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.raster.Raster;
import dev.tilewright.space.raster.RasterOrder;

/**
 * The launch parameters that all families have, by type: they decide the grid and the order of its tiles, and no text.
 *
 * @param rasterOrder of the cluster tiles of a GEMM
 * @param rasterGroup rows or columns of cluster tiles of a band, at least 1; without meaning where the order has none
 * @param gridSize CTAs of a persistent grid; 0 stands for all that are resident
 * @param tileOrder of the tiles of several GEMMs
 */
public record LaunchConfig(RasterOrder rasterOrder, int rasterGroup, int gridSize, TileOrder tileOrder) {

    public LaunchConfig {
        if (rasterGroup < 1) {
            throw new IllegalArgumentException("rasterGroup must be at least 1, got " + rasterGroup);
        }
        if (gridSize < 0) {
            throw new IllegalArgumentException("gridSize must be at least 0, got " + gridSize);
        }
    }

    /**
     * The typed form of a config.
     *
     * @throws IllegalArgumentException if a parameter is missing, or has a value that no launch can have
     */
    public static LaunchConfig of(Config config) {
        return new LaunchConfig(
                RasterOrder.parse(config.name("rasterOrder")),
                config.whole("rasterGroup"),
                config.whole("gridSize"),
                TileOrder.KEY.of(config));
    }

    /** The raster of a grid of so many rows and columns of cluster tiles. */
    public Raster raster(int tilesM, int tilesN) {
        return rasterOrder.raster(tilesM, tilesN, rasterGroup);
    }
}
