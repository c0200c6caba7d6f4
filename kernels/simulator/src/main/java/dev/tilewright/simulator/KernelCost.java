package dev.tilewright.simulator;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.parameter.LaunchConfig;
import dev.tilewright.space.sm100.Sm100Config;
import dev.tilewright.space.sm90.Sm90Config;

/**
 * The view of a typed config that the model needs, alike for all families: a cost for each plan. Parameters that no
 * cost has a term for ({@code clcStages}, {@code l2Promotion}) predict the same time for all their values.
 *
 * @param pieces clusters that share the depth of a tile, each with a piece of it
 */
record KernelCost(ScheduleCost schedule, MultiplyCost multiply, LoadCost load, ClusterCost cluster, int pieces) {

    /**
     * Reads a config for a GPU.
     *
     * @throws IllegalArgumentException naming the parameter, the value and the rule if no kernel of the architecture
     *     can be built for it
     */
    static KernelCost of(Config config, Architecture architecture) {
        LaunchConfig launch = LaunchConfig.of(config);
        return switch (architecture) {
            case SM90 -> of(Sm90Config.of(config), launch);
            case SM100 -> of(Sm100Config.of(config), launch);
        };
    }

    private static KernelCost of(Sm90Config config, LaunchConfig launch) {
        return new KernelCost(
                ScheduleCost.of(config.schedule(), launch),
                MultiplyCost.Wgmma.of(config),
                LoadCost.of(config.load()),
                ClusterCost.of(config),
                config.split().pieces());
    }

    private static KernelCost of(Sm100Config config, LaunchConfig launch) {
        return new KernelCost(
                ScheduleCost.of(config.schedule(), launch),
                MultiplyCost.Tcgen05.of(config),
                LoadCost.of(config.load()),
                ClusterCost.of(config.cluster()),
                1);
    }

    /**
     * K blocks of a piece of a tile: all of them, if tiles are not split. Where the CTAs of a cluster share the depth,
     * those of the one that has most.
     *
     * @param piece index among those of a tile
     * @throws IllegalArgumentException if there are fewer blocks than pieces, or parts of a cluster
     */
    int blocks(int k, int piece) {
        int all = Math.ceilDiv(k, load.tileK());
        if (all < pieces) {
            throw new IllegalArgumentException("splitK must be at most " + all + ", the blocks of " + load.tileK()
                    + " that k = " + k + " has, got " + pieces);
        }
        if (all < cluster.parts()) {
            throw new IllegalArgumentException("clusterK must be at most " + all + ", the blocks of " + load.tileK()
                    + " that k = " + k + " has, got " + cluster.parts());
        }
        int ofPiece = (int) ((piece + 1L) * all / pieces - (long) piece * all / pieces);
        return Math.ceilDiv(ofPiece, cluster.parts());
    }

    /** K blocks of the next tile that are loaded while the warpgroups are at the epilogue. */
    int loadedAhead() {
        return switch (multiply) {
            case MultiplyCost.Wgmma wgmma ->
                wgmma.pingPong() || !schedule.scheduler().residentGrid() ? 0 : load.stages();
            case MultiplyCost.Tcgen05 tcgen05 -> 0;
        };
    }

    /**
     * Whether two CTAs that read the same bytes from an SM pair do so at one time: those of a cluster along M, and
     * neighbours of a static grid. Others drift apart.
     */
    boolean keepsStep() {
        return cluster.tiles() == 1 ? schedule.scheduler().fixed() : cluster.m() > 1;
    }

    /** CTAs that fit on an SM at a time. A persistent grid starts as many as the config says, even if fewer fit. */
    int residentCtas() {
        return schedule.scheduler().residentGrid() ? multiply.ctasPerSm() : multiply.fittingCtas();
    }

    /**
     * CTAs of a persistent grid on an SM; a grid of another size has one on each. They share its tensor cores, so that
     * one may stand for all of them that has the teams of all.
     */
    int ctasOfGridPerSm() {
        return schedule.scheduler().residentGrid() && schedule.launch().gridSize() == 0 ? multiply.ctasPerSm() : 1;
    }
}
