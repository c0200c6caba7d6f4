package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.TileGrid;
import dev.tilewright.gemm.TileNumbering;
import dev.tilewright.gemm.TileTable;
import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.device.ClusterDeal;
import dev.tilewright.space.parameter.L2Promotion;
import dev.tilewright.space.parameter.LaunchConfig;
import dev.tilewright.space.raster.Raster;
import java.util.List;

/**
 * The facts of a launch: all that the arguments of a kernel depend on.
 *
 * @param config of the kernel, with its launch parameters
 * @param tiles of the problem under that config
 * @param deal of the clusters of the grid to GPCs
 */
public record LaunchFacts(Problem problem, Config config, TileNumbering tiles, ClusterDeal deal) {

    /** The GEMMs of the problem, in order. */
    List<OperandLayout.Gemm> gemms() {
        return OperandLayout.of(problem).gemms();
    }

    /** Bytes that L2 fetches at once of A and B. */
    int promotion() {
        return L2Promotion.bytes(config);
    }

    /** The tiles of one GEMM. */
    TileGrid grid() {
        return switch (tiles) {
            case TileGrid grid -> grid;
            case TileTable _ -> throw new IllegalStateException("tiles of a table lie in no grid");
        };
    }

    /** The tiles of several GEMMs. */
    TileTable table() {
        return switch (tiles) {
            case TileTable table -> table;
            case TileGrid _ -> throw new IllegalStateException("tiles of a grid are in no table");
        };
    }

    /** The order of the cluster tiles of one GEMM. */
    Raster raster() {
        return LaunchConfig.of(config).raster(grid().clusterTilesM(), grid().clusterTilesN());
    }
}
