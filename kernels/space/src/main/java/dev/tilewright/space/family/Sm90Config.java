package dev.tilewright.space.family;

import dev.tilewright.model.problem.Major;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.tick.LoadTick;
import java.util.List;

/**
 * The text parameters of {@code sm90-gemm} by type: two equal values mean one text. Launch parameters have no place
 * here, so that the text cannot depend on them.
 *
 * @param location how it knows where its tiles lie
 * @param throttle what a dynamic scheduler waits for before it asks
 * @param swapAB whether instructions have the rows of B as theirs, and multiply a part of the transposed output: then
 *     what is said of tileM holds for tileN, and the other way round, and tileM is up to 256
 * @param tileM rows of a CTA tile, a multiple of 64 for each warpgroup that shares it; of 64 where two share its
 *     columns
 * @param tileN columns of a CTA tile, a multiple of 8 up to 256, of 16 up to 320
 * @param tileK depth of one stage in elements
 * @param consumers warpgroups that multiply
 * @param loadStages slots of the ring between TMA and the tensor cores
 * @param clusterOrder by which number a cluster takes its tiles
 * @param multicast what CTAs of a cluster load for each other
 * @param swizzle span of the shared-memory swizzle of A and B, bytes
 * @param epilogueN columns of a panel of the epilogue, those of instructions
 * @param epilogueStages panels of the epilogue's ring, for each warpgroup
 * @param registers registers of a consumer thread; 0 leaves them as the assembler shares them out
 * @param ctasPerSm CTAs that an SM has at a time, at the least: registers and shared memory are cut for so many
 * @param waitDepth groups of wgmma in flight when a stage is handed back
 * @param l2Hint which operand is to stay in L2
 * @param loadStart when blocks of K are asked for
 * @param launchOverlap from when on the next launch may start
 * @param splitK pieces along K into which each tile is cut, for clusters of their own; 1 leaves it whole
 * @param streamK which tiles the clusters share along K
 * @param operands types and layouts, which are the problem's
 */
public record Sm90Config(
        TileLocation location,
        Scheduler scheduler,
        Throttle throttle,
        Mode mode,
        int consumers,
        boolean swapAB,
        int tileM,
        int tileN,
        int tileK,
        int loadStages,
        int clusterM,
        int clusterN,
        ClusterOrder clusterOrder,
        Multicast multicast,
        int swizzle,
        int epilogueN,
        int epilogueStages,
        int registers,
        int ctasPerSm,
        int waitDepth,
        L2Hint l2Hint,
        LoadStart loadStart,
        LaunchOverlap launchOverlap,
        int splitK,
        StreamK streamK,
        Sm90Operands operands) {

    /** How warpgroups share work. */
    public enum Mode {
        /** All of them share one tile, by rows or by columns. */
        COOPERATIVE("cooperative"),
        /** Each has its own tile; one multiplies while the other stores. */
        PINGPONG("pingpong");

        private final String value;

        Mode(String value) {
            this.value = value;
        }

        static Mode of(Config config) {
            return NamedValue.of(values(), "mode", config);
        }

        /** Warpgroups that multiply for one tile of a config. */
        static int warpgroupsPerTile(Config config) {
            return of(config).warpgroupsPerTile(config.whole("consumers"));
        }

        /** Warpgroups that multiply for one tile. */
        public int warpgroupsPerTile(int consumers) {
            return switch (this) {
                case COOPERATIVE -> consumers;
                case PINGPONG -> 1;
            };
        }

        @Override
        public String toString() {
            return value;
        }
    }

    /** Panels with which the epilogue's ring can go round: one is written while the other is stored. */
    static final int LEAST_PANELS = 2;

    /** Pieces of a tile that one word counts, with a mark for each that has given up. */
    public static final int MOST_PIECES = 23;

    /** Most columns of one wgmma. */
    static final int MAX_MMA_COLUMNS = 256;

    /** Columns of a wgmma come in multiples of this. */
    static final int MMA_COLUMNS = 8;

    /** Rows of one wgmma, and of a panel. */
    public static final int MMA_ROWS = 64;

    /** Products that the tensor cores of an SM add up in a cycle, times the bytes of an input. */
    private static final int MMA_BYTES_PER_CYCLE = 4096;

    private static final int THREADS_PER_WARPGROUP = 128;

    private static final int MAX_CONSUMERS = 3;
    private static final int PINGPONG_CONSUMERS = 2;
    private static final int MAX_TILE_N = 320;
    private static final int MAX_CTAS_PER_SM = 2;

    /**
     * Refuses what no kernel can be built for. What can be built but is not worth trying, or does not fit a device, is
     * for the rules of {@link Sm90GemmSpace} to say.
     */
    public Sm90Config {
        if (scheduler == Scheduler.CLC) {
            throw new IllegalArgumentException("scheduler must be one of [single, static, atomic], got 'clc'");
        }
        require(
                consumers >= 1 && consumers <= MAX_CONSUMERS,
                "consumers must be from 1 to " + MAX_CONSUMERS,
                consumers);
        require(
                mode == Mode.COOPERATIVE || consumers == PINGPONG_CONSUMERS,
                "pingpong takes " + PINGPONG_CONSUMERS + " consumers in turn",
                consumers);
        if (throttle != Throttle.NONE && throttle != Throttle.LOADED) {
            throw new IllegalArgumentException(Throttle.PARAMETER + " must be one of [" + Throttle.NONE + ", "
                    + Throttle.LOADED + "], got '" + throttle + "'");
        }
        int sharers = mode.warpgroupsPerTile(consumers);
        require(
                !swapAB || SwapAB.possible(operands),
                SwapAB.PARAMETER + " must be 0 unless A and B are K-major and D has 16 bits",
                swapAB ? 1 : 0);
        int unit = columnUnit(operands, swizzle);
        if (swapAB) {
            requireTile(sharers, unit, "tileN", tileN, "tileM", tileM, MAX_MMA_COLUMNS);
        } else {
            requireTile(sharers, unit, "tileM", tileM, "tileN", tileN, MAX_TILE_N);
        }
        require(
                !operands.anyKMajor() || tileK * operands.inputBytes() % swizzle == 0,
                "tileK must fill spans of the swizzle, " + swizzle + " bytes each",
                tileK);
        require(
                tileK > 0 && tileK % operands.mmaK() == 0,
                "tileK must be a multiple of " + operands.mmaK() + ", the depth of a wgmma",
                tileK);
        List<Integer> panels = operands.panelColumns();
        require(
                panels.contains(epilogueN),
                "epilogueN must be one of " + panels + ", a panel as wide as a swizzle",
                epilogueN);
        require(epilogueStages >= LEAST_PANELS, "epilogueStages must be at least " + LEAST_PANELS, epilogueStages);
        require(
                ctasPerSm == 1 || ctasPerSm == MAX_CTAS_PER_SM,
                DeviceLimits.CTAS_PER_SM + " must be 1 or " + MAX_CTAS_PER_SM,
                ctasPerSm);
        require(waitDepth == 0 || waitDepth == 1, "waitDepth must be 0 or 1", waitDepth);
        require(loadStages >= 1, "loadStages must be at least 1", loadStages);
        require(splitK >= 1, "splitK must be at least 1", splitK);
        require(splitK <= MOST_PIECES, "splitK must be at most " + MOST_PIECES, splitK);
        require(
                splitK == 1 || location == TileLocation.RASTER,
                "splitK must be 1 where tiles stand in a table, which gives each of them whole",
                splitK);
        if (streamK != StreamK.NONE
                && (scheduler != Scheduler.STATIC || splitK > 1 || location != TileLocation.RASTER)) {
            throw new IllegalArgumentException(StreamK.PARAMETER + " = " + streamK
                    + " deals out shares of one output beforehand: it takes scheduler = static, splitK = 1 and "
                    + TileLocation.PARAMETER + " = raster, got " + scheduler + ", " + splitK + " and " + location);
        }
        if (clusterOrder == ClusterOrder.GPC && streamK != StreamK.NONE) {
            throw new IllegalArgumentException(StreamK.PARAMETER + " = " + streamK
                    + " deals shares out to clusters as launched: it takes " + ClusterOrder.PARAMETER + " = "
                    + ClusterOrder.LAUNCH + ", got " + clusterOrder);
        }
        require(clusterM >= 1, "clusterM must be at least 1", clusterM);
        require(clusterN >= 1, "clusterN must be at least 1", clusterN);
        require(
                operands.majorB() == Major.K || tileN <= MAX_MMA_COLUMNS,
                "tileN of an operand that is n-major must be at most " + MAX_MMA_COLUMNS,
                tileN);
        requireWholeSpans(operands.majorA(), "tileM", loadRows(multicast.ofA(), tileM, clusterN), swizzle, operands);
        requireWholeSpans(operands.majorB(), "tileN", loadRows(multicast.ofB(), tileN, clusterM), swizzle, operands);
    }

    /** Rows and columns are those of instructions, and {@code ofRows} and {@code ofColumns} what they are called. */
    private static void requireTile(
            int sharers, int unit, String ofRows, int rows, String ofColumns, int columns, int mostColumns) {
        require(rows > 0 && rows % MMA_ROWS == 0, ofRows + " must be a multiple of " + MMA_ROWS, rows);
        require(
                WarpgroupTile.canShare(sharers, rows),
                ofRows + " must be a multiple of " + MMA_ROWS * sharers + ", " + MMA_ROWS + " for each of " + sharers
                        + " warpgroups that share a tile",
                rows);
        require(
                columns >= MMA_COLUMNS && columns <= mostColumns && columns % MMA_COLUMNS == 0,
                ofColumns + " must be a multiple of " + MMA_COLUMNS + " up to " + mostColumns,
                columns);
        require(
                columns <= MAX_MMA_COLUMNS || columns % (2 * MMA_COLUMNS) == 0,
                ofColumns + " above " + MAX_MMA_COLUMNS
                        + " is made of two instructions side by side, so it must be a multiple of 16",
                columns);
        require(
                !WarpgroupTile.byColumns(sharers, rows) || columns % unit == 0,
                ofColumns + " must be a multiple of " + unit + " where two warpgroups share the columns of " + rows
                        + " rows",
                columns);
    }

    /** Columns of a tile that two warpgroups share come in multiples of this. */
    static int columnUnit(Sm90Operands operands, int swizzle) {
        return 2 * (operands.majorB() == Major.K ? MMA_COLUMNS : swizzle / operands.inputBytes());
    }

    private static void requireWholeSpans(Major major, String tile, int loadRows, int swizzle, Sm90Operands operands) {
        int span = swizzle / operands.inputBytes();
        require(
                major == Major.K || loadRows % span == 0,
                tile + " must make each CTA load a multiple of " + span + " rows of an operand that is " + major
                        + "-major, the span of the swizzle",
                loadRows);
    }

    static int loadRows(boolean shared, int tile, int ctas) {
        return LoadedRows.of(tile, shared ? ctas : 1);
    }

    private static void require(boolean kept, String rule, int given) {
        if (!kept) {
            throw new IllegalArgumentException(rule + ", got " + given);
        }
    }

    /**
     * The typed form of a config.
     *
     * @throws IllegalArgumentException if a parameter is missing, has an unknown name as its value, or a value for
     *     which no kernel can be built
     */
    public static Sm90Config of(Config config) {
        return new Sm90Config(
                TileLocation.of(config),
                Scheduler.of(config),
                Throttle.orNone(config),
                Mode.of(config),
                config.whole("consumers"),
                SwapAB.of(config),
                config.whole("tileM"),
                config.whole("tileN"),
                config.whole("tileK"),
                config.whole("loadStages"),
                config.whole("clusterM"),
                config.whole("clusterN"),
                ClusterOrder.orLaunch(config),
                Multicast.of(config),
                config.whole("swizzle"),
                config.whole("epilogueN"),
                config.whole("epilogueStages", LEAST_PANELS),
                config.whole("registers"),
                config.whole(DeviceLimits.CTAS_PER_SM, 1),
                config.whole("waitDepth"),
                L2Hint.of(config),
                LoadStart.orFree(config),
                LaunchOverlap.orNone(config),
                config.whole("splitK", 1),
                StreamK.orNone(config),
                Sm90Operands.of(config));
    }

    /** Threads of a CTA: the producer's warpgroup and the consumers'. */
    public int threads() {
        return THREADS_PER_WARPGROUP * (1 + consumers);
    }

    /** CTAs of a cluster. */
    public int clusterSize() {
        return clusterM * clusterN;
    }

    /** Warpgroups that multiply for one tile. */
    public int warpgroupsPerTile() {
        return mode.warpgroupsPerTile(consumers);
    }

    /** Extent of a tile along the rows of its instructions. */
    public int tileRows() {
        return swapAB ? tileN : tileM;
    }

    /** Extent of a tile along the columns of its instructions. */
    public int tileColumns() {
        return swapAB ? tileM : tileN;
    }

    /** What one warpgroup multiplies of a tile. */
    public WarpgroupTile warpgroupTile() {
        return WarpgroupTile.of(mode, consumers, tileRows(), tileColumns());
    }

    /** Whether the warpgroups of a tile have all of its rows each, and half of its columns. */
    public boolean sharesColumns() {
        return WarpgroupTile.byColumns(warpgroupsPerTile(), tileRows());
    }

    /** f32 accumulators of a consumer thread. */
    public int accumulators() {
        return warpgroupTile().rows() * warpgroupTile().columns() / THREADS_PER_WARPGROUP;
    }

    /** Registers that a thread that multiplies has, after redistribution if there is one. */
    public int consumerRegisters() {
        return registers == 0 ? Sm90Registers.atEntry(consumers, ctasPerSm) : registers;
    }

    /** Registers of a producer thread after it gave the others up; 0 if they are not redistributed. */
    public int producerRegisters() {
        return Sm90Registers.ofProducer(consumers, registers, ctasPerSm);
    }

    /** Nanoseconds between the ticks at which blocks of K are asked for, a power of two. */
    public int loadTickNs() {
        long cycles = (long) tileM * tileN * tileK * operands.inputBytes() / MMA_BYTES_PER_CYCLE;
        return LoadTick.ns((int) cycles);
    }

    /** Rows of A that one CTA loads at a time. */
    public int loadRowsA() {
        return loadRows(multicast.ofA(), tileM, clusterN);
    }

    /** Rows of B that one CTA loads at a time. */
    public int loadRowsB() {
        return loadRows(multicast.ofB(), tileN, clusterM);
    }

    /** Bytes of a panel of 64 rows. */
    public int panelBytes() {
        return MMA_ROWS * epilogueN * operands.outputBytes();
    }

    /** Columns of the last panel where they are fewer than {@link #epilogueN()}, otherwise 0. */
    public int narrowPanelN() {
        return warpgroupTile().columns() % epilogueN;
    }

    /** Slots of the ring through which a dynamic scheduler hands out tiles; 0 without one. */
    public int ringSlots() {
        return sharedMemory().ringSlots();
    }

    /** Dynamic shared memory: stages, panels, barriers and the scheduler's ring. */
    public int sharedBytes() {
        return sharedMemory().bytes();
    }

    private Sm90SharedMemory sharedMemory() {
        return new Sm90SharedMemory(
                scheduler,
                throttle,
                mode,
                consumers,
                tileM,
                tileN,
                tileK,
                loadStages,
                epilogueN,
                epilogueStages,
                operands);
    }
}
