package dev.tilewright.simulator;

import dev.tilewright.model.raster.RasterOrder;
import dev.tilewright.model.space.Config;
import java.util.List;

/**
 * What the model reads from a config, checked and typed. {@code scheduler}, {@code tileM}, {@code tileN}, {@code tileK}
 * and {@code loadStages} must be there; the others have the default that their comment states. Parameters that the
 * model has no term for ({@code registers}, {@code l2Hint}, {@code swizzle}) are ignored, and so predict the same time
 * for all their values.
 *
 * @param tileM rows of the output tile of a CTA, of each warpgroup under ping-pong; a multiple of 64
 * @param tileN columns likewise; a multiple of 8
 * @param tileK depth of a stage, in elements
 * @param consumers warpgroups that multiply; 2 if absent
 * @param pingPong whether each of these has a tile of its own ({@code mode}); not if absent
 * @param stages slots of the load ring
 * @param clusterM CTAs of a cluster along M; 1 if absent
 * @param clusterN CTAs of a cluster along N; 1 if absent
 * @param multicast whether CTAs of a cluster load for each other (none, both); if absent, whenever there is a cluster
 * @param rasterOrder groupedM if absent
 * @param rasterGroup extent of a band in cluster tiles; 8 if absent
 * @param epilogueN width of an epilogue panel in columns; 64 if absent
 * @param waitDepth wgmma groups that stay in flight while the next stage is waited for; 1 if absent
 * @param gridSize CTAs of a persistent grid; 0, also if absent: as many as are resident
 */
record KernelPlan(
        TileScheduler.Kind scheduler,
        int tileM,
        int tileN,
        int tileK,
        int consumers,
        boolean pingPong,
        int stages,
        int clusterM,
        int clusterN,
        boolean multicast,
        RasterOrder rasterOrder,
        int rasterGroup,
        int epilogueN,
        int waitDepth,
        int gridSize) {

    private static final int WIDEST_INSTRUCTION = 256;

    KernelPlan {
        requireMultiple("tileM", tileM, 64);
        requireMultiple("tileN", tileN, 8);
        requireMultiple("tileK", tileK, 16);
        requireAtLeast("consumers", consumers, 1);
        requireAtLeast("clusterM", clusterM, 1);
        requireAtLeast("clusterN", clusterN, 1);
        requireAtLeast("rasterGroup", rasterGroup, 1);
        requireMultiple("epilogueN", epilogueN, 8);
        requireAtLeast("waitDepth", waitDepth, 0);
        requireAtLeast("gridSize", gridSize, 0);
        requireAtLeast("loadStages", stages, waitDepth + 1);
    }

    /**
     * Reads a config.
     *
     * @throws IllegalArgumentException naming the parameter, the value and the rule
     */
    static KernelPlan of(Config config) {
        int clusterM = whole(config, "clusterM", 1);
        int clusterN = whole(config, "clusterN", 1);
        return new KernelPlan(
                TileScheduler.Kind.parse(config.name("scheduler")),
                config.whole("tileM"),
                config.whole("tileN"),
                config.whole("tileK"),
                whole(config, "consumers", 2),
                choice(config, "mode", List.of("cooperative", "pingpong"), 0) == 1,
                config.whole("loadStages"),
                clusterM,
                clusterN,
                choice(config, "multicast", List.of("none", "both"), clusterM * clusterN > 1 ? 1 : 0) == 1,
                config.has("rasterOrder") ? RasterOrder.parse(config.name("rasterOrder")) : RasterOrder.GROUPED_M,
                whole(config, "rasterGroup", 8),
                whole(config, "epilogueN", 64),
                whole(config, "waitDepth", 1),
                whole(config, "gridSize", 0));
    }

    private static int whole(Config config, String parameter, int ifAbsent) {
        return config.has(parameter) ? config.whole(parameter) : ifAbsent;
    }

    private static int choice(Config config, String parameter, List<String> known, int ifAbsent) {
        if (!config.has(parameter)) {
            return ifAbsent;
        }
        int index = known.indexOf(config.name(parameter));
        if (index < 0) {
            throw new IllegalArgumentException(
                    "unknown " + parameter + " '" + config.name(parameter) + "'; known: " + String.join(", ", known));
        }
        return index;
    }

    private static void requireAtLeast(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ", got " + value);
        }
    }

    private static void requireMultiple(String name, int value, int unit) {
        if (value < unit || value % unit != 0) {
            throw new IllegalArgumentException(name + " must be a positive multiple of " + unit + ", got " + value);
        }
    }

    int clusterSize() {
        return clusterM * clusterN;
    }

    /** Threads of a CTA: the consumers and one warpgroup that loads. */
    int threads() {
        return 128 * (consumers + 1);
    }

    /** Groups of warpgroups that have a tile each: one, or under ping-pong as many as there are consumers. */
    int teams() {
        return pingPong ? consumers : 1;
    }

    /** Warpgroups that work on one tile. */
    int warpgroupsPerTile() {
        return pingPong ? 1 : consumers;
    }

    /** N of the wgmma instructions: consumers split a tile by rows where 64 are left for each, otherwise by columns. */
    int instructionN() {
        int columns = tileM % (64 * warpgroupsPerTile()) == 0 ? tileN : Math.ceilDiv(tileN, warpgroupsPerTile());
        return Math.ceilDiv(columns, Math.ceilDiv(columns, WIDEST_INSTRUCTION));
    }
}
