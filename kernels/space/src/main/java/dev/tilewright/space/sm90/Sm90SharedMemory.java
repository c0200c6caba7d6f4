package dev.tilewright.space.sm90;

import dev.tilewright.space.parameter.Key;
import java.util.List;
import java.util.stream.Stream;

/**
 * Dynamic shared memory of a CTA of {@code sm90-gemm}: stages, panels of the epilogue, scales of the stages and their
 * barriers, for a dynamic scheduler the records and barriers of its ring, and where a cluster shares the depth of a
 * tile the sums of other parts.
 */
final class Sm90SharedMemory {

    /** The parameters that decide it, beside the operands, which are the problem's. */
    static final List<String> PARAMETERS = Key.names(
            SchedulePlan.SCHEDULER,
            MultiplyPlan.MODE,
            MultiplyPlan.CONSUMERS,
            MultiplyPlan.TILE_M,
            MultiplyPlan.TILE_N,
            LoadPlan.TILE_K,
            LoadPlan.STAGES,
            EpiloguePlan.PANEL_N,
            EpiloguePlan.STAGES);

    /** The same where a space cuts tiles along K in a cluster too. */
    static final List<String> PARAMETERS_OF_PARTS = Stream.concat(
                    PARAMETERS.stream(), Key.names(MultiplyPlan.SWAP_AB, SplitPlan.CLUSTER_K).stream())
            .toList();

    static final int BARRIER_BYTES = 8;

    private static final int PANEL_ALIGNMENT = 1024;

    private Sm90SharedMemory() {}

    static int bytes(Sm90Config config) {
        return stages(config.load().stages(), config) + besideStages(config);
    }

    /** The most stages that fit, from 2 to so many; 1 if no 2 do. */
    static int fitting(Sm90Config config, int bytes, int most) {
        int left = bytes - besideStages(config);
        int stages = most;
        while (stages > 1 && stages(stages, config) > left) {
            stages--;
        }
        return stages;
    }

    /** So many stages with their scales and barriers. */
    private static int stages(int count, Sm90Config config) {
        int operands = Math.ceilDiv(count * config.load().stageBytes(), PANEL_ALIGNMENT) * PANEL_ALIGNMENT;
        return operands + count * (config.scales().stageBytes() + 2 * BARRIER_BYTES);
    }

    private static int besideStages(Sm90Config config) {
        return config.epilogue().ringBytes()
                + config.schedule().ringBytes()
                + config.split().sharedBytes();
    }
}
