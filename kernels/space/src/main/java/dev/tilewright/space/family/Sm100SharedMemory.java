package dev.tilewright.space.family;

import java.util.List;

/**
 * Dynamic shared memory of a CTA of {@code sm100-gemm}: stages, panels of the epilogue, barriers of the stages and
 * accumulators, the address of tensor memory, and for a dynamic scheduler the records and barriers of its ring.
 */
final class Sm100SharedMemory {

    /** The parameters that decide it. */
    static final List<String> PARAMETERS = List.of(
            "scheduler",
            "ctaGroup",
            "tileN",
            "tileK",
            "loadStages",
            "accumulatorStages",
            "epilogueN",
            "clcStages",
            "clcThrottle",
            "inputType",
            "outputType");

    private static final int RING_RECORD_BYTES = 16;
    private static final int TENSOR_ADDRESS_BYTES = 16;
    private static final int BARRIER_BYTES = 8;

    private Sm100SharedMemory() {}

    static int bytes(Sm100Values values) {
        int loadStages = values.loadStages();
        int rows = Sm100Config.CTA_ROWS + values.tileN() / values.ctaGroup();
        int stages = loadStages * rows * values.tileK() * values.inputType().bytes();
        int panels = Sm100Config.PANELS
                * Sm100Config.CTA_ROWS
                * values.epilogueN()
                * values.outputType().bytes();
        int barriers = 2 * (loadStages + values.accumulatorStages()) * BARRIER_BYTES;
        int fixed = stages + panels + barriers + TENSOR_ADDRESS_BYTES;
        return values.scheduler().dynamic() ? fixed + ringBytes(values) : fixed;
    }

    /** Records and barriers of the slots, and a barrier to wait at before a tile is asked for. */
    private static int ringBytes(Sm100Values values) {
        int slots = values.clcStages() * (RING_RECORD_BYTES + 2 * BARRIER_BYTES);
        return values.clcThrottle() == Throttle.NONE ? slots : slots + BARRIER_BYTES;
    }
}
