package dev.tilewright.space.family;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.operand.OperandTile;
import dev.tilewright.space.tick.LoadTick;
import java.util.List;
import java.util.stream.Stream;

/**
 * The text parameters of {@code sm90-gemm} by type: two equal values mean one text. Launch parameters are left out, so
 * that the text cannot depend on them.
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
        Sm90Operands operands)
        implements Sm90Values {

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

        @Override
        public String toString() {
            return value;
        }
    }

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

    static final int THREADS_PER_WARPGROUP = 128;

    /**
     * Refuses what no kernel can be built for ({@link Sm90Legality}). What can be built but is not worth trying, or
     * does not fit a device, is for the rules of {@link Sm90GemmSpace} to say.
     */
    public Sm90Config(
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
            Sm90Operands operands) {
        this.location = location;
        this.scheduler = scheduler;
        this.throttle = throttle;
        this.mode = mode;
        this.consumers = consumers;
        this.swapAB = swapAB;
        this.tileM = tileM;
        this.tileN = tileN;
        this.tileK = tileK;
        this.loadStages = loadStages;
        this.clusterM = clusterM;
        this.clusterN = clusterN;
        this.clusterOrder = clusterOrder;
        this.multicast = multicast;
        this.swizzle = swizzle;
        this.epilogueN = epilogueN;
        this.epilogueStages = epilogueStages;
        this.registers = registers;
        this.ctasPerSm = ctasPerSm;
        this.waitDepth = waitDepth;
        this.l2Hint = l2Hint;
        this.loadStart = loadStart;
        this.launchOverlap = launchOverlap;
        this.splitK = splitK;
        this.operands = operands;
        Sm90Legality.require(this);
    }

    /**
     * The typed form of a config.
     *
     * @throws IllegalArgumentException if a parameter is missing, has an unknown name as its value, or a value for
     *     which no kernel can be built
     */
    public static Sm90Config of(Config config) {
        Sm90Reading read = new Sm90Reading(config, Sm90Operands.of(config));
        return new Sm90Config(
                read.location(),
                read.scheduler(),
                read.throttle(),
                read.mode(),
                read.consumers(),
                read.swapAB(),
                read.tileM(),
                read.tileN(),
                read.tileK(),
                read.loadStages(),
                read.clusterM(),
                read.clusterN(),
                read.clusterOrder(),
                read.multicast(),
                read.swizzle(),
                read.epilogueN(),
                read.epilogueStages(),
                read.registers(),
                read.ctasPerSm(),
                read.waitDepth(),
                read.l2Hint(),
                read.loadStart(),
                read.launchOverlap(),
                read.splitK(),
                read.operands());
    }

    /** The content of a stage: the tiles of A and B, in this order. */
    public List<OperandTile> operandTiles() {
        return Stream.of(OperandRole.values()).map(this::operandTile).toList();
    }

    private OperandTile operandTile(OperandRole role) {
        return new OperandTile(
                role, operands.types().of(role), operands.majors().of(role), rows(role), tileK, swizzle, sharers(role));
    }

    /** Threads of a CTA: the producer's warpgroup and the consumers'. */
    public int threads() {
        return THREADS_PER_WARPGROUP * (1 + consumers);
    }

    /** Whether the warpgroups of a tile have all of its rows each, and half of its columns. */
    public boolean sharesColumns() {
        return WarpgroupTile.byColumns(warpgroupsPerTile(), tileRows());
    }

    /** Registers of a thread when the kernel starts, all that an SM has for it. */
    public int registersAtEntry() {
        return Sm90Registers.atEntry(this);
    }

    /** Registers that a thread that multiplies has, after redistribution if there is one. */
    public int consumerRegisters() {
        return registers == 0 ? registersAtEntry() : registers;
    }

    /** Registers of a producer thread after it gave the others up; 0 if they are not redistributed. */
    public int producerRegisters() {
        return Sm90Registers.ofProducer(this);
    }

    /** Nanoseconds between the ticks at which blocks of K are asked for, a power of two. */
    public int loadTickNs() {
        long cycles = (long) tileM * tileN * tileK * operands.inputBytes() / MMA_BYTES_PER_CYCLE;
        return LoadTick.ns((int) cycles);
    }

    /** Columns of the last panel where they are fewer than {@link #epilogueN()}, otherwise 0. */
    public int narrowPanelN() {
        return warpgroupTile().columns() % epilogueN;
    }

    /** The ring through which a dynamic scheduler hands out tiles; one that is not there where no scheduler asks. */
    public RingPlan ring() {
        return new RingPlan(Math.max(1, Sm90SharedMemory.ringSlots(this)), 1, throttle);
    }

    /** Dynamic shared memory: stages, panels, barriers and the scheduler's ring. */
    public int sharedBytes() {
        return Sm90SharedMemory.bytes(this);
    }
}
