package dev.tilewright.simulator;

import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.raster.RasterOrder;
import java.util.List;
import java.util.Locale;

/**
 * What the model reads from a config, checked and typed. {@code scheduler}, {@code tileM}, {@code tileN}, {@code tileK}
 * and {@code loadStages} must be there; the others have the default that their comment states. Parameters that the
 * model has no term for ({@code clcStages}, any that it does not know) are ignored, and so predict the same time for
 * all their values.
 *
 * @param tileM rows of the output tile of a CTA, of each warpgroup under ping-pong; a multiple of 64. A config of
 *     {@code sm100-gemm} gives the rows of a whole CTA pair where it has one
 * @param tileN columns likewise; a multiple of 8
 * @param tileK depth of a stage, in elements
 * @param mainloop how it multiplies
 * @param stages slots of the load ring
 * @param clusterM CTAs of a cluster along M; 1 if absent, or 2 if they are a pair
 * @param clusterN CTAs of a cluster along N; 1 if absent
 * @param multicastA whether CTAs of a cluster load rows of A for each other ({@code multicast=both} or {@code a}); if
 *     absent, whenever there is a cluster
 * @param multicastB rows of B likewise ({@code both} or {@code b})
 * @param rasterOrder groupedM if absent
 * @param rasterGroup extent of a band in cluster tiles; 8 if absent
 * @param keptOperand which operand L2 is asked to keep ({@code l2Hint}); none if absent
 * @param loadsAtTicks whether blocks are asked for at ticks of the GPU's timer ({@code loadStart=tick}); not if absent
 * @param goesByGpc whether clusters take tiles GPC by GPC ({@code clusterOrder=gpc}), and not as launched; not if
 *     absent
 * @param swizzle bytes of a row of A and B that lie together in shared memory, and that a load brings at a time; 128 if
 *     absent, and on {@code sm100}, where no sweep shows what less would cost
 * @param epilogueN width of an epilogue panel in columns; 64 if absent
 * @param epilogueStages panels of a warpgroup, one of which is written while others are stored; 2 if absent
 * @param gridSize CTAs of a persistent grid; 0, also if absent: as many as are resident
 * @param registers of a consumer thread; 0, also if absent: as the assembler shares them out
 * @param ctasPerSm CTAs that an SM has at a time, at the least; 1 if absent
 * @param splitK clusters that share the depth of a tile, each with a piece of it; 1 if absent
 * @param sharesTiles whether clusters of a static grid share the tiles that do not fill a wave
 *     ({@code streamK=remainder}); not if absent
 * @param launchOverlap whether a launch starts while the one before it ends ({@code launchOverlap} other than 0 or
 *     none); not if absent
 * @param longestFirst whether the tiles of the deepest GEMMs come first ({@code tileOrder=longestFirst}), and not as
 *     the problem names its groups (asGiven); not if absent
 * @param queriesInFlight tiles that a cluster asks for ahead ({@code clcPrefetch}); 1 if absent
 * @param asksAfterMainloop whether it asks only when a tile is multiplied ({@code clcThrottle=mainloop}) or loaded
 *     (loaded), and not when one begins (none, load); not if absent
 * @param asksWhenLoaded whether it asks when the last block of a tile is on its way ({@code clcThrottle=loaded}), so
 *     that the blocks in the stages hide the answer's latency
 */
record KernelPlan(
        TileScheduler.Kind scheduler,
        int tileM,
        int tileN,
        int tileK,
        Mainloop mainloop,
        int stages,
        int clusterM,
        int clusterN,
        boolean multicastA,
        boolean multicastB,
        RasterOrder rasterOrder,
        int rasterGroup,
        KeptOperand keptOperand,
        boolean loadsAtTicks,
        boolean goesByGpc,
        int swizzle,
        int epilogueN,
        int epilogueStages,
        int gridSize,
        int registers,
        int ctasPerSm,
        int splitK,
        boolean sharesTiles,
        boolean launchOverlap,
        boolean longestFirst,
        int queriesInFlight,
        boolean asksAfterMainloop,
        boolean asksWhenLoaded) {

    private static final List<String> THROTTLES = List.of("none", "load", "mainloop", "loaded");
    private static final int MAINLOOP = THROTTLES.indexOf("mainloop");
    private static final int LOADED = THROTTLES.indexOf("loaded");

    private static final int WIDEST_INSTRUCTION = 256;
    private static final int TENSOR_MEMORY_COLUMNS = 512;
    /** Of a Hopper SM, and what each CTA takes of it unasked. */
    private static final int SHARED_BYTES = 233_472;

    private static final int SHARED_RESERVED = 1024;
    private static final int REGISTERS = 65_536;
    private static final int THREADS = 2048;
    /** Beside the accumulators; the assembler takes 30 to 40. */
    private static final int WORKING_REGISTERS = 32;

    KernelPlan {
        requireMultiple("tileM", tileM, 8);
        requireMultiple("tileN", tileN, 8);
        requireMultiple("tileK", tileK, 16);
        requireAtLeast("clusterM", clusterM, 1);
        requireAtLeast("clusterN", clusterN, 1);
        requireAtLeast("rasterGroup", rasterGroup, 1);
        requireMultiple("epilogueN", epilogueN, 8);
        requireAtLeast("epilogueStages", epilogueStages, 1);
        requireAtLeast("gridSize", gridSize, 0);
        requireAtLeast("ctasPerSm", ctasPerSm, 1);
        requireAtLeast("splitK", splitK, 1);
        if (sharesTiles && (scheduler != TileScheduler.Kind.STATIC || splitK > 1)) {
            throw new IllegalArgumentException(
                    "streamK = remainder takes scheduler = static and splitK = 1, got " + scheduler + " and " + splitK);
        }
        requireAtLeast("clcPrefetch", queriesInFlight, 1);
        requireAtLeast("loadStages", stages, mainloop.blocksInUse());
    }

    /**
     * Reads a config for a GPU.
     *
     * @throws IllegalArgumentException naming the parameter, the value and the rule, also if the config is one of
     *     another architecture
     */
    static KernelPlan of(Config config, GpuConstants.Architecture architecture) {
        TileScheduler.Kind scheduler = TileScheduler.Kind.parse(config.name("scheduler"), architecture);
        Mainloop mainloop = switch (architecture) {
            case SM90 -> wgmma(config);
            case SM100 -> tcgen05(config);
        };
        int ctaGroup = mainloop.ctaGroup();
        String ofRows = swapsAB(config) ? "tileN" : "tileM";
        requireMultiple(ofRows, config.whole(ofRows), 64 * ctaGroup);
        int clusterM = whole(config, "clusterM", ctaGroup);
        int clusterN = whole(config, "clusterN", 1);
        if (clusterM % ctaGroup != 0) {
            throw new IllegalArgumentException(
                    "clusterM must be a multiple of ctaGroup " + ctaGroup + ", got " + clusterM);
        }
        return new KernelPlan(
                scheduler,
                config.whole("tileM") / ctaGroup,
                config.whole("tileN"),
                config.whole("tileK"),
                mainloop,
                config.whole("loadStages"),
                clusterM,
                clusterN,
                multicast(config, clusterM * clusterN).contains("a"),
                multicast(config, clusterM * clusterN).contains("b"),
                config.has("rasterOrder") ? RasterOrder.parse(config.name("rasterOrder")) : RasterOrder.GROUPED_M,
                whole(config, "rasterGroup", 8),
                KeptOperand.of(config),
                choice(config, "loadStart", List.of("free", "tick"), 0) == 1,
                choice(config, "clusterOrder", List.of("launch", "gpc"), 0) == 1,
                architecture == GpuConstants.Architecture.SM90 ? whole(config, "swizzle", 128) : 128,
                whole(config, "epilogueN", 64),
                whole(config, "epilogueStages", 2),
                whole(config, "gridSize", 0),
                whole(config, "registers", 0),
                whole(config, "ctasPerSm", 1),
                whole(config, "splitK", 1),
                choice(config, "streamK", List.of("none", "remainder"), 0) == 1,
                config.has("launchOverlap")
                        && !List.of("0", "none")
                                .contains(config.value("launchOverlap").toString()),
                choice(config, "tileOrder", List.of("asGiven", "longestFirst"), 0) == 1,
                scheduler.dynamic() ? whole(config, "clcPrefetch", 1) : 1,
                scheduler.dynamic() && throttle(config) >= MAINLOOP,
                scheduler.dynamic() && throttle(config) == LOADED);
    }

    private static int throttle(Config config) {
        return choice(config, "clcThrottle", THROTTLES, 0);
    }

    private static boolean swapsAB(Config config) {
        return whole(config, "swapAB", 0) == 1;
    }

    /**
     * Of {@code sm90-gemm}: {@code consumers} 2, {@code mode} cooperative, {@code waitDepth} 1, {@code swapAB} 0 if
     * absent.
     */
    private static Mainloop wgmma(Config config) {
        refuseParameters(config, "sm90", List.of("ctaGroup", "accumulatorStages"));
        int consumers = whole(config, "consumers", 2);
        int waitDepth = whole(config, "waitDepth", 1);
        requireAtLeast("consumers", consumers, 1);
        requireAtLeast("waitDepth", waitDepth, 0);
        boolean pingPong = choice(config, "mode", List.of("cooperative", "pingpong"), 0) == 1;
        return new Mainloop.Wgmma(consumers, pingPong, waitDepth, swapsAB(config));
    }

    /** Of {@code sm100-gemm}: {@code ctaGroup} 1, {@code accumulatorStages} 2 if absent. */
    private static Mainloop tcgen05(Config config) {
        refuseParameters(
                config, "sm100", List.of("consumers", "mode", "waitDepth", "swapAB", "loadStart", "clusterOrder"));
        int ctaGroup = whole(config, "ctaGroup", 1);
        int accumulatorStages = whole(config, "accumulatorStages", 2);
        if (ctaGroup != 1 && ctaGroup != 2) {
            throw new IllegalArgumentException("ctaGroup must be 1 or 2, got " + ctaGroup);
        }
        requireAtLeast("accumulatorStages", accumulatorStages, 1);
        if (accumulatorStages * config.whole("tileN") > TENSOR_MEMORY_COLUMNS) {
            throw new IllegalArgumentException("tensor memory has " + TENSOR_MEMORY_COLUMNS + " columns, and "
                    + accumulatorStages + " accumulators of tileN " + config.whole("tileN") + " need "
                    + accumulatorStages * config.whole("tileN"));
        }
        return new Mainloop.Tcgen05(ctaGroup, accumulatorStages);
    }

    /** The operands that are shared, as letters. */
    private static String multicast(Config config, int clusterSize) {
        String ifAbsent = clusterSize > 1 ? "both" : "none";
        String value = config.has("multicast") ? config.name("multicast") : ifAbsent;
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "none" -> "";
            case "both" -> "ab";
            case "a" -> "a";
            case "b" -> "b";
            default -> throw new IllegalArgumentException("unknown multicast '" + value + "'; known: none, both, a, b");
        };
    }

    private static void refuseParameters(Config config, String architecture, List<String> foreign) {
        for (String parameter : foreign) {
            if (config.has(parameter)) {
                throw new IllegalArgumentException("parameter '" + parameter + "' belongs to kernels that "
                        + architecture + " does not run: take family " + architecture + "-gemm for this GPU");
            }
        }
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
        return clusterSize() == 1 ? scheduler == TileScheduler.Kind.STATIC : clusterM > 1;
    }

    /**
     * Panels of a tile: those of all its warpgroups follow each other, as there is one way out of an SM. They have 64
     * rows, or columns where A and B are swapped; of tensor memory, whose epilogue takes them at once, all rows.
     */
    int panels() {
        return switch (mainloop) {
            case Mainloop.Wgmma wgmma -> rows(wgmma) / 64 * Math.ceilDiv(columns(wgmma), epilogueN);
            case Mainloop.Tcgen05 tcgen05 -> Math.ceilDiv(tileN, epilogueN);
        };
    }

    /** Extent of a tile along the rows of its instructions. */
    private int rows(Mainloop.Wgmma wgmma) {
        return wgmma.swapAB() ? tileN : tileM;
    }

    private int columns(Mainloop.Wgmma wgmma) {
        return wgmma.swapAB() ? tileM : tileN;
    }

    /** CTAs that fit on an SM at a time. A persistent grid starts as many as the config says, whatever fits. */
    int residentCtas(OperandTypes types) {
        return scheduler.residentGrid() ? ctasPerSm : fittingCtas(types);
    }

    /** CTAs that an SM has room for, whether or not the grid starts so many. */
    int fittingCtas(OperandTypes types) {
        return switch (mainloop) {
            case Mainloop.Wgmma wgmma -> fittingCtas(wgmma, types);
            case Mainloop.Tcgen05 tcgen05 -> 1;
        };
    }

    /**
     * CTAs of a persistent grid on an SM; a grid of another size has one on each. They take turns at its tensor cores,
     * so that one may stand for all of them that has the teams of all.
     */
    int takingTurns() {
        return switch (mainloop) {
            case Mainloop.Wgmma wgmma -> scheduler.residentGrid() && gridSize == 0 ? ctasPerSm : 1;
            case Mainloop.Tcgen05 tcgen05 -> 1;
        };
    }

    private int fittingCtas(Mainloop.Wgmma wgmma, OperandTypes types) {
        int panels =
                epilogueStages * wgmma.consumers() * 64 * epilogueN * types.d().bytes();
        int loads = stages * (tileM + tileN) * tileK * types.a().bytes();
        int shared = loads + panels + SHARED_RESERVED;
        int accumulators = tileM * tileN / (128 * wgmma.epilogueWarpgroups());
        int most = REGISTERS / ctasPerSm / wgmma.threads() / 8 * 8;
        int each = registers > 0 ? most : Math.min(most, Math.ceilDiv(accumulators + WORKING_REGISTERS, 8) * 8);
        return Math.max(1, Math.min(SHARED_BYTES / shared, Math.min(THREADS, REGISTERS / each) / wgmma.threads()));
    }

    /** N of wgmma: consumers split a tile by rows where 64 are left for each, otherwise by columns. */
    int wgmmaN(Mainloop.Wgmma wgmma) {
        int warpgroups = wgmma.epilogueWarpgroups();
        int all = columns(wgmma);
        int columns = rows(wgmma) % (64 * warpgroups) == 0 ? all : Math.ceilDiv(all, warpgroups);
        return Math.ceilDiv(columns, Math.ceilDiv(columns, WIDEST_INSTRUCTION));
    }
}
