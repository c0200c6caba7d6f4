package dev.tilewright.simulator;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * A kernel whose configuration and settled rate on a real H200 are known, to hold predictions against. Rates that
 * differ by the way of launching are those of plain launches, as the model has no programmatic dependent launch.
 *
 * @param peerTflops best peer of DESIGN section 4, sustained
 * @param tflops measured with this configuration
 * @param source where the measurement stands
 */
record MeasuredKernel(String shape, String kernel, Config config, double peerTflops, double tflops, String source) {

    private static final Config PING_PONG = Configs.with(Configs.large(), "mode=pingpong tileN=176 loadStages=5");
    private static final Config NO_CLUSTER = Configs.with(Configs.large(), "clusterM=1");

    /** One for each shape of the suite. */
    static final List<MeasuredKernel> SUITE = List.of(
            kernel(
                    "1024x1024x1024",
                    "coop 128x64 S8 1x2 single",
                    NO_CLUSTER,
                    "tileN=64 loadStages=8 clusterN=2 multicast=none scheduler=single epilogueN=32",
                    217,
                    280,
                    "final of docs/results/h200/suite.md"),
            kernel("2048x2048x2048", "coop 128x256 S4", NO_CLUSTER, "rasterGroup=4", 654, 648, "lab 3, no PDL"),
            kernel(
                    "4096x4096x4096",
                    "coop 256x128 S4 1x2",
                    Configs.large(),
                    "tileM=256 tileN=128 clusterM=1 clusterN=2",
                    677,
                    657,
                    "lab 2"),
            kernel(
                    "8192x8192x8192",
                    "coop 256x192 S3 2x1",
                    Configs.large(),
                    "tileM=256 tileN=192 loadStages=3 rasterGroup=6",
                    696,
                    675,
                    "lab 2"),
            kernel(
                    "16384x16384x16384",
                    "coop 128x256 S4 2x1",
                    Configs.large(),
                    "rasterGroup=8",
                    675,
                    683,
                    "playbook 13, the vendor's kernel of this tile"),
            kernel("8192x8192x512", "pp 128x176 S5", PING_PONG, "clusterM=1", 676, 609, "lab 2"),
            kernel("16384x16384x2048", "pp 128x192 S4 2x1", PING_PONG, "tileN=192 loadStages=4", 704, 663, "lab 2"),
            kernel("4096x14336x4096", "pp 128x176 S5", PING_PONG, "clusterM=1 rasterGroup=16", 692, 674, "lab 2"),
            kernel("8192x4096x14336", "coop 128x256 S4 2x1", Configs.large(), "rasterGroup=8", 670, 665, "lab 2"),
            kernel("512x8192x8192", "coop 128x256 S4", NO_CLUSTER, "rasterGroup=4", 638, 650, "lab 2"),
            kernel(
                    "5000x5000x5056",
                    "coop 256x152 S4 2x1",
                    Configs.large(),
                    "tileM=256 tileN=152",
                    651,
                    651,
                    "DESIGN 4, the vendor's kernel of this tile"),
            kernel(
                    "128x8192x8192",
                    "pp 64x128 S8 2x1",
                    PING_PONG,
                    "tileM=64 tileN=128 loadStages=8",
                    437,
                    408,
                    "lab 3, no hints"));

    /** Cycles of a launch at 8192^3 as counted by the hardware (kernel-lab section 4). */
    static final SequencedMap<Config, Double> COUNTED = counted();

    private static SequencedMap<Config, Double> counted() {
        SequencedMap<Config, Double> cycles = new LinkedHashMap<>();
        cycles.put(Configs.with(PING_PONG, "rasterGroup=8"), 2.137e6);
        cycles.put(Configs.with(PING_PONG, "clusterM=1 rasterGroup=16"), 2.135e6);
        cycles.put(Configs.with(Configs.large(), "rasterGroup=8"), 2.197e6);
        cycles.put(Configs.with(Configs.large(), "tileM=256 tileN=192 loadStages=3 rasterGroup=4"), 2.262e6);
        return Collections.unmodifiableSequencedMap(cycles);
    }

    private static MeasuredKernel kernel(
            String shape, String kernel, Config base, String change, double peer, double tflops, String source) {
        return new MeasuredKernel(shape, kernel, Configs.with(base, change), peer, tflops, source);
    }

    Problem problem() {
        return Configs.bf16(shape);
    }
}
