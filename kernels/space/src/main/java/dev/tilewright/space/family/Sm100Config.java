package dev.tilewright.space.family;

import static dev.tilewright.space.family.GemmRules.when;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.operand.OperandTile;
import java.util.List;
import java.util.Optional;

/**
 * The text parameters of {@code sm100-gemm} by type: two equal values mean one text. Launch parameters are left out, so
 * that the text cannot depend on them.
 *
 * @param location how it knows where its tiles lie
 * @param ctaGroup CTAs that multiply together: 1, or a pair along M
 * @param tileM rows of the tile of a CTA or of a pair, 128 for each CTA
 * @param tileN columns of the tile, a multiple of 16 for each CTA of the group, up to 256
 * @param tileK depth of one stage in elements; its bytes fill one span of the swizzle, or several spans of 128 bytes
 * @param loadStages slots of the ring between TMA and the tensor cores
 * @param accumulatorStages accumulators in tensor memory: with 2, one is stored while the other is computed
 * @param ring slots, queries in flight and throttle of a dynamic scheduler
 * @param clusterM CTAs of a cluster along M, both CTAs of a pair counted
 * @param multicast whether CTAs of a cluster share what they both need
 * @param epilogueN columns of a panel of the epilogue
 * @param inputType of A and B
 * @param outputType of D
 * @param scales which inputs of 8 bits share a scale
 * @param epilogue what is done to the scaled sums before they are stored
 */
public record Sm100Config(
        TileLocation location,
        Scheduler scheduler,
        int ctaGroup,
        int tileM,
        int tileN,
        int tileK,
        int loadStages,
        int accumulatorStages,
        RingPlan ring,
        int clusterM,
        int clusterN,
        boolean multicast,
        int epilogueN,
        DataType inputType,
        DataType outputType,
        Scales scales,
        Epilogue epilogue)
        implements Sm100Values {

    /** The parameter that says the scales, where they are not of tensors. */
    static final String SCALES = "scales";

    /** The parameter that says the epilogue, where there is one. */
    static final String EPILOGUE = "epilogue";

    /** Rows of D that one CTA computes: all lanes of its tensor memory. */
    public static final int CTA_ROWS = 128;

    /** Panels of the epilogue's ring. */
    public static final int PANELS = 2;

    /** Warps: load, multiply, scheduler, one that rests, and four of the epilogue, from a multiple of four on. */
    public static final int WARPS = 8;

    /** Types that the family multiplies. */
    static final List<DataType> INPUTS = List.of(DataType.BF16, DataType.F16, DataType.E4M3);

    /** Types that the family stores. */
    static final List<DataType> OUTPUTS = List.of(DataType.BF16, DataType.F16, DataType.F32);

    private static final int WARP = 32;
    private static final int WIDEST_SWIZZLE = 128;
    private static final int SMALLEST_ALLOCATION = 32;

    /**
     * Refuses what no kernel can be built for ({@link Sm100Legality}). What can be built but is not worth trying, or
     * does not fit a device, is for the rules of {@link Sm100GemmSpace} to say.
     */
    public Sm100Config(
            TileLocation location,
            Scheduler scheduler,
            int ctaGroup,
            int tileM,
            int tileN,
            int tileK,
            int loadStages,
            int accumulatorStages,
            RingPlan ring,
            int clusterM,
            int clusterN,
            boolean multicast,
            int epilogueN,
            DataType inputType,
            DataType outputType,
            Scales scales,
            Epilogue epilogue) {
        this.location = location;
        this.scheduler = scheduler;
        this.ctaGroup = ctaGroup;
        this.tileM = tileM;
        this.tileN = tileN;
        this.tileK = tileK;
        this.loadStages = loadStages;
        this.accumulatorStages = accumulatorStages;
        this.ring = ring;
        this.clusterM = clusterM;
        this.clusterN = clusterN;
        this.multicast = multicast;
        this.epilogueN = epilogueN;
        this.inputType = inputType;
        this.outputType = outputType;
        this.scales = scales;
        this.epilogue = epilogue;
        refusal(scales).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        Sm100Legality.require(this);
    }

    /** Why no kernel has such scales; empty if one has. */
    static Optional<String> refusal(Scales scales) {
        return when(
                scales == Scales.BLOCK,
                () -> "scales = " + scales + ": " + Sm100GemmSpace.FAMILY + " has no mainloop with block scales");
    }

    /**
     * The typed form of a config.
     *
     * @throws IllegalArgumentException if a parameter is missing, has an unknown name as its value, or a value for
     *     which no kernel can be built
     */
    public static Sm100Config of(Config config) {
        Sm100Reading read = new Sm100Reading(config);
        return new Sm100Config(
                TileLocation.of(config),
                read.scheduler(),
                read.ctaGroup(),
                read.tileM(),
                read.tileN(),
                read.tileK(),
                read.loadStages(),
                read.accumulatorStages(),
                new RingPlan(read.clcStages(), read.clcPrefetch(), read.clcThrottle()),
                read.clusterM(),
                read.clusterN(),
                read.multicast(),
                read.epilogueN(),
                read.inputType(),
                read.outputType(),
                config.has(SCALES) ? Scales.parse(config.name(SCALES)) : Scales.TENSOR,
                config.has(EPILOGUE) ? Epilogue.parse(config.name(EPILOGUE)) : Epilogue.NONE);
    }

    @Override
    public int clcStages() {
        return ring.slots();
    }

    @Override
    public int clcPrefetch() {
        return ring.prefetch();
    }

    @Override
    public Throttle clcThrottle() {
        return ring.throttle();
    }

    /** Threads of a CTA. */
    public int threads() {
        return WARPS * WARP;
    }

    /**
     * The content of a stage of one CTA: the tiles of A and B, in this order. Of B each CTA of a pair has half the
     * rows.
     */
    public List<OperandTile> operandTiles() {
        return List.of(
                operandTile(OperandRole.A, CTA_ROWS, clusterN),
                operandTile(OperandRole.B, tileN / ctaGroup, clusterM / ctaGroup));
    }

    private OperandTile operandTile(OperandRole role, int rows, int ctas) {
        int span = Math.min(WIDEST_SWIZZLE, tileK * inputType.bytes());
        return new OperandTile(role, inputType, Major.K, rows, tileK, span, multicast ? ctas : 1);
    }

    /** Columns of tensor memory to allocate: a power of two that holds all accumulators. */
    public int tensorColumns() {
        int used = accumulatorStages * tileN;
        return Math.max(SMALLEST_ALLOCATION, Integer.highestOneBit(2 * used - 1));
    }

    /** Dynamic shared memory: stages, panels, barriers, the address of tensor memory and the scheduler's ring. */
    public int sharedBytes() {
        return Sm100SharedMemory.bytes(this);
    }
}
