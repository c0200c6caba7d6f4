package dev.tilewright.simulator;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.family.ClusterOrder;
import dev.tilewright.space.family.L2Hint;
import dev.tilewright.space.family.LaunchConfig;
import dev.tilewright.space.family.LaunchOverlap;
import dev.tilewright.space.family.LoadStart;
import dev.tilewright.space.family.RingPlan;
import dev.tilewright.space.family.Scheduler;
import dev.tilewright.space.family.Sm100Config;
import dev.tilewright.space.family.Sm90Config;
import dev.tilewright.space.family.Throttle;

/**
 * The view of a typed config that the model needs, alike for all families. Parameters that it has no term for
 * ({@code clcStages}, {@code l2Promotion}) predict the same time for all their values.
 *
 * @param launch order of the tiles, and grid
 * @param tileM rows of the output tile of a CTA, of each warpgroup under ping-pong. A config of {@code sm100-gemm}
 *     gives the rows of a whole CTA pair where it has one
 * @param tileN columns likewise
 * @param tileK depth of a stage, in elements
 * @param mainloop how it multiplies
 * @param stages slots of the load ring
 * @param clusterM CTAs of a cluster along M
 * @param clusterN CTAs of a cluster along N
 * @param multicastA whether CTAs of a cluster load rows of A for each other
 * @param multicastB rows of B likewise
 * @param l2Hint which operand L2 is asked to keep
 * @param loadsAtTicks whether blocks are asked for at ticks of the GPU's timer
 * @param goesByGpc whether clusters take tiles GPC by GPC, and not as launched
 * @param swizzle bytes of a row of A and B that lie together in shared memory, and that a load brings at a time; 128 on
 *     {@code sm100}, where no sweep shows what less would cost
 * @param epilogueN width of an epilogue panel in columns
 * @param ctasPerSm CTAs that an SM has at a time, at the least
 * @param splitK clusters that share the depth of a tile, each with a piece of it
 * @param launchOverlap whether a launch starts while the one before it ends
 * @param ring through which a dynamic scheduler hands out tiles
 */
record KernelPlan(
        Scheduler scheduler,
        LaunchConfig launch,
        int tileM,
        int tileN,
        int tileK,
        Mainloop mainloop,
        int stages,
        int clusterM,
        int clusterN,
        boolean multicastA,
        boolean multicastB,
        L2Hint l2Hint,
        boolean loadsAtTicks,
        boolean goesByGpc,
        int swizzle,
        int epilogueN,
        int ctasPerSm,
        int splitK,
        boolean launchOverlap,
        RingPlan ring) {

    private static final int WIDEST_SWIZZLE = 128;

    /**
     * Reads a config for a GPU.
     *
     * @throws IllegalArgumentException naming the parameter, the value and the rule if no kernel of the architecture
     *     can be built for it
     */
    static KernelPlan of(Config config, Architecture architecture) {
        LaunchConfig launch = LaunchConfig.of(config);
        return switch (architecture) {
            case SM90 -> of(Sm90Config.of(config), launch);
            case SM100 -> of(Sm100Config.of(config), launch);
        };
    }

    private static KernelPlan of(Sm90Config config, LaunchConfig launch) {
        return new KernelPlan(
                config.scheduler(),
                launch,
                config.tileM(),
                config.tileN(),
                config.tileK(),
                new Mainloop.Wgmma(config),
                config.loadStages(),
                config.clusterM(),
                config.clusterN(),
                config.multicast().of(OperandRole.A),
                config.multicast().of(OperandRole.B),
                config.l2Hint(),
                config.loadStart() == LoadStart.TICK,
                config.clusterOrder() == ClusterOrder.GPC,
                config.swizzle(),
                config.epilogueN(),
                config.ctasPerSm(),
                config.splitK(),
                config.launchOverlap() != LaunchOverlap.NONE,
                config.ring());
    }

    private static KernelPlan of(Sm100Config config, LaunchConfig launch) {
        return new KernelPlan(
                config.scheduler(),
                launch,
                Sm100Config.CTA_ROWS,
                config.tileN(),
                config.tileK(),
                new Mainloop.Tcgen05(config),
                config.loadStages(),
                config.clusterM(),
                config.clusterN(),
                config.multicast(),
                config.multicast(),
                L2Hint.NONE,
                false,
                false,
                WIDEST_SWIZZLE,
                config.epilogueN(),
                1,
                1,
                false,
                config.ring());
    }

    int clusterSize() {
        return clusterM * clusterN;
    }

    /** Tiles that a cluster asks for ahead. */
    int queriesInFlight() {
        return scheduler.dynamic() ? ring.prefetch() : 1;
    }

    /** Whether it asks only when a tile is multiplied or loaded, and not when one begins. */
    boolean asksAfterMainloop() {
        return scheduler.dynamic()
                && switch (ring.throttle()) {
                    case NONE, LOAD -> false;
                    case LOADED, MAINLOOP -> true;
                };
    }

    /**
     * Whether it asks when the last block of a tile is on its way, so that the blocks in the stages hide the answer.
     */
    boolean asksWhenLoaded() {
        return scheduler.dynamic() && ring.throttle() == Throttle.LOADED;
    }

    /**
     * K blocks of a piece of a tile: all of them, if tiles are not split.
     *
     * @param piece index among those of a tile
     * @throws IllegalArgumentException if there are fewer blocks than pieces
     */
    int blocks(int k, int piece) {
        int all = Math.ceilDiv(k, tileK);
        if (all < splitK) {
            throw new IllegalArgumentException("splitK must be at most " + all + ", the blocks of " + tileK
                    + " that k = " + k + " has, got " + splitK);
        }
        return (int) ((piece + 1L) * all / splitK - (long) piece * all / splitK);
    }

    /** K blocks of the next tile that are loaded while the warpgroups are at the epilogue. */
    int loadedAhead() {
        return switch (mainloop) {
            case Mainloop.Wgmma wgmma -> wgmma.pingPong() || !scheduler.residentGrid() ? 0 : stages;
            case Mainloop.Tcgen05 tcgen05 -> 0;
        };
    }

    /**
     * Whether two CTAs that read the same bytes from an SM pair do so at one time: those of a cluster along M, and
     * neighbours of a static grid. Others drift apart.
     */
    boolean keepsStep() {
        return clusterSize() == 1 ? scheduler.fixed() : clusterM > 1;
    }

    /** CTAs that fit on an SM at a time. A persistent grid starts as many as the config says, even if fewer fit. */
    int residentCtas() {
        return scheduler.residentGrid() ? ctasPerSm : mainloop.fittingCtas();
    }

    /**
     * CTAs of a persistent grid on an SM; a grid of another size has one on each. They share its tensor cores, so that
     * one may stand for all of them that has the teams of all.
     */
    int ctasOfGridPerSm() {
        return scheduler.residentGrid() && launch.gridSize() == 0 ? ctasPerSm : 1;
    }
}
