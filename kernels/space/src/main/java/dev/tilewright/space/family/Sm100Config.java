package dev.tilewright.space.family;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.space.Config;
import java.util.List;

/**
 * The text parameters of {@code sm100-gemm} by type: two equal values mean one text. Launch parameters have no place
 * here, so that the text cannot depend on them.
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
        DataType outputType) {

    /** Rows of D that one CTA computes: all lanes of its tensor memory. */
    public static final int CTA_ROWS = 128;

    /** Panels of the epilogue's ring. */
    public static final int PANELS = 2;

    /** Columns of tensor memory. */
    public static final int TENSOR_COLUMNS = 512;

    /** Warps: load, multiply, scheduler, one that rests, and four of the epilogue, from a multiple of four on. */
    public static final int WARPS = 8;

    /** Types that the family multiplies. */
    static final List<DataType> INPUTS = List.of(DataType.BF16, DataType.F16, DataType.E4M3);

    /** Types that the family stores. */
    static final List<DataType> OUTPUTS = List.of(DataType.BF16, DataType.F16, DataType.F32);

    private static final int WARP = 32;
    private static final int WIDEST_SWIZZLE = 128;
    private static final int SMALLEST_ALLOCATION = 32;
    private static final List<Integer> SPANS = List.of(32, 64, 128, 256);
    private static final List<Integer> PANEL_SPANS = List.of(32, 64, 128);

    /**
     * Refuses what no kernel can be built for. What can be built but is not worth trying, or does not fit a device, is
     * for the rules of {@link Sm100GemmSpace} to say.
     */
    public Sm100Config {
        require(ctaGroup == 1 || ctaGroup == 2, "ctaGroup must be 1 or 2", ctaGroup);
        require(
                tileM == CTA_ROWS * ctaGroup,
                "tileM must be " + CTA_ROWS * ctaGroup + ", " + CTA_ROWS + " for each of " + ctaGroup + " CTAs",
                tileM);
        require(
                tileN >= 16 * ctaGroup && tileN <= 256 && tileN % (16 * ctaGroup) == 0,
                "tileN must be a multiple of " + 16 * ctaGroup + " up to 256",
                tileN);
        require(INPUTS.contains(inputType), "inputType must be one of " + INPUTS, inputType);
        require(OUTPUTS.contains(outputType), "outputType must be one of " + OUTPUTS, outputType);
        require(
                SPANS.contains(tileK * inputType.bytes()),
                "tileK must be " + SPANS + " bytes of " + inputType,
                tileK + " elements");
        require(loadStages >= 1, "loadStages must be at least 1", loadStages);
        require(
                accumulatorStages == 1 || accumulatorStages == 2,
                "accumulatorStages must be 1 or 2",
                accumulatorStages);
        require(
                PANEL_SPANS.contains(epilogueN * outputType.bytes()) && tileN % epilogueN == 0,
                "epilogueN must divide the " + tileN + " columns of a tile and be " + PANEL_SPANS + " bytes of "
                        + outputType,
                epilogueN + " columns");
        require(
                clusterM >= 1 && clusterM % ctaGroup == 0,
                "clusterM must be a multiple of the " + ctaGroup + " CTAs of a group",
                clusterM);
        require(clusterN >= 1, "clusterN must be at least 1", clusterN);
        require(clusterM * clusterN <= 16, "a cluster must have at most 16 CTAs", clusterM * clusterN);
        require(
                !multicast || CTA_ROWS % (8 * clusterN) == 0,
                "with multicast, clusterN must divide the rows of A into multiples of 8",
                clusterN);
        require(
                !multicast || tileN % (8 * clusterM) == 0,
                "with multicast over " + clusterM + " CTAs, tileN must be a multiple of " + 8 * clusterM,
                tileN);
    }

    private static void require(boolean kept, String rule, Object given) {
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
    public static Sm100Config of(Config config) {
        return new Sm100Config(
                TileLocation.of(config),
                Scheduler.of(config),
                config.whole("ctaGroup"),
                config.whole("tileM"),
                config.whole("tileN"),
                config.whole("tileK"),
                config.whole("loadStages"),
                config.whole("accumulatorStages"),
                new RingPlan(config.whole("clcStages"), config.whole("clcPrefetch"), Throttle.of(config)),
                config.whole("clusterM"),
                config.whole("clusterN"),
                Multicast.bothOrNone(config),
                config.whole("epilogueN"),
                DataType.parse(config.name("inputType")),
                DataType.parse(config.name("outputType")));
    }

    /** Threads of a CTA. */
    public int threads() {
        return WARPS * WARP;
    }

    /** CTAs of a cluster. */
    public int clusterSize() {
        return clusterM * clusterN;
    }

    /** Bytes of one row of a stage's panel, which is the span of its swizzle: 32, 64 or 128. */
    public int spanBytes() {
        return Math.min(WIDEST_SWIZZLE, tileK * inputType.bytes());
    }

    /** Panels of a stage side by side along K; more than one where a row of the stage is longer than a swizzle. */
    public int panelsAlongK() {
        return tileK * inputType.bytes() / spanBytes();
    }

    /** Rows of B in the shared memory of one CTA: a pair has half of them each. */
    public int rowsB() {
        return tileN / ctaGroup;
    }

    /** Rows of A that one CTA loads; all of its own unless the cluster shares them. */
    public int loadRowsA() {
        return multicast ? CTA_ROWS / clusterN : CTA_ROWS;
    }

    /** Rows of B that one CTA loads. */
    public int loadRowsB() {
        return multicast ? tileN / clusterM : rowsB();
    }

    /** Columns of tensor memory to allocate: a power of two that holds all accumulators. */
    public int tensorColumns() {
        int used = accumulatorStages * tileN;
        return Math.max(SMALLEST_ALLOCATION, Integer.highestOneBit(2 * used - 1));
    }

    /** Dynamic shared memory: stages, panels, barriers, the address of tensor memory and the scheduler's ring. */
    public int sharedBytes() {
        return new Sm100SharedMemory(
                        scheduler,
                        ctaGroup,
                        tileN,
                        tileK,
                        loadStages,
                        accumulatorStages,
                        epilogueN,
                        ring.slots(),
                        ring.throttle(),
                        inputType,
                        outputType)
                .bytes();
    }
}
