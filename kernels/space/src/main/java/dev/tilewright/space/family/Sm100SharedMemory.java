package dev.tilewright.space.family;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.space.Config;
import java.util.List;

/**
 * Dynamic shared memory of a CTA, from the parameters that decide it and no others: stages, panels of the epilogue,
 * barriers of the stages and accumulators, the address of tensor memory, and for a dynamic scheduler the records and
 * barriers of its ring.
 */
record Sm100SharedMemory(
        Scheduler scheduler,
        int ctaGroup,
        int tileN,
        int tileK,
        int loadStages,
        int accumulatorStages,
        int epilogueN,
        int clcStages,
        Throttle throttle,
        DataType inputType,
        DataType outputType) {

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

    static Sm100SharedMemory of(Config config) {
        return new Sm100SharedMemory(
                Scheduler.of(config),
                config.whole("ctaGroup"),
                config.whole("tileN"),
                config.whole("tileK"),
                config.whole("loadStages"),
                config.whole("accumulatorStages"),
                config.whole("epilogueN"),
                config.whole("clcStages"),
                Throttle.of(config),
                DataType.parse(config.name("inputType")),
                DataType.parse(config.name("outputType")));
    }

    int bytes() {
        int rows = Sm100Config.CTA_ROWS + tileN / ctaGroup;
        int stages = loadStages * rows * tileK * inputType.bytes();
        int panels = Sm100Config.PANELS * Sm100Config.CTA_ROWS * epilogueN * outputType.bytes();
        int barriers = 2 * (loadStages + accumulatorStages) * BARRIER_BYTES;
        int fixed = stages + panels + barriers + TENSOR_ADDRESS_BYTES;
        if (!scheduler.dynamic()) {
            return fixed;
        }
        int ring = clcStages * (RING_RECORD_BYTES + 2 * BARRIER_BYTES);
        return fixed + ring + (throttle == Throttle.NONE ? 0 : BARRIER_BYTES);
    }
}
