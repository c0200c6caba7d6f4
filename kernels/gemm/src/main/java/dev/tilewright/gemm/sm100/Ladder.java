package dev.tilewright.gemm.sm100;

import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;

/**
 * From the simplest kernel of the family to the whole of it, one idea at a time. Every step is a config like any other,
 * built of the same blocks; {@code docs/kernels/ladder.md} says what each changes in the text and why.
 */
public final class Ladder {

    private static final String FIRST = "scheduler=single ctaGroup=1 tileM=128 tileN=128 tileK=64 loadStages=1"
            + " accumulatorStages=1 clcStages=1 clcPrefetch=1 clcThrottle=none clusterM=1 clusterN=1 multicast=none"
            + " epilogueN=32 inputType=bf16 outputType=bf16 rasterOrder=alongM rasterGroup=1 gridSize=0";

    private Ladder() {}

    /**
     * A rung.
     *
     * @param name {@code v0} and up
     * @param idea what it adds
     * @param changes the parameters that differ from the rung below, with their new values
     */
    public record Step(String name, String idea, SequencedMap<String, ParameterValue> changes, Config config) {

        /** The kernel of this step. */
        public GemmKernel build(boolean traced) {
            return new Sm100Gemm().build(config, traced);
        }
    }

    /** All steps, from the simplest on. */
    public static List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        add(steps, "one tile for each CTA, one stage", "");
        add(steps, "a ring of stages: loads run ahead of the tensor cores", "loadStages=4");
        add(
                steps,
                "a raster in bands: tiles that run together share operands in L2",
                "rasterOrder=groupedM rasterGroup=4");
        add(steps, "persistent: a CTA takes tile after tile, and loads the next while it stores", "scheduler=static");
        add(steps, "two accumulators: the epilogue runs beside the next mainloop", "accumulatorStages=2");
        add(steps, "cluster launch control: who is free takes over a tile", "scheduler=clc clcStages=3");
        add(steps, "a pair of CTAs multiplies 256 rows, each loads half of B", "ctaGroup=2 tileM=256 clusterM=2");
        return List.copyOf(steps);
    }

    private static void add(List<Step> steps, String idea, String pairs) {
        Config before = steps.isEmpty() ? Config.parse(FIRST) : steps.getLast().config();
        steps.add(new Step("v" + steps.size(), idea, Config.pairs(pairs), before.with(pairs)));
    }
}
