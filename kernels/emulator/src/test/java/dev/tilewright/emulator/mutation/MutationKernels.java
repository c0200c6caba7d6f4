package dev.tilewright.emulator.mutation;

import dev.tilewright.emulator.gemm.GemmCase;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One small kernel of every role layout that sm90-gemm has: tile scheduler, mode, and no cluster, a cluster, or a
 * cluster with multicast. All are traced twins, so that a tile visited twice or never shows.
 *
 * <p>The shapes have tails in all dimensions; each CTA of a persistent kernel takes several tiles, each ring wraps
 * several times.
 */
public final class MutationKernels {
    private static final String NARROW = "tileK=32 swizzle=64 epilogueN=32 loadStages=3 ";
    private static final String WIDE = "tileK=64 swizzle=128 epilogueN=64 loadStages=3 ";
    private static final String ONE_WARPGROUP = "consumers=1 registers=0 tileM=64 ";

    /** Name, parameters, problem shape. */
    private static final String[][] KERNELS = {
        {"single-cooperative", NARROW + ONE_WARPGROUP + "tileN=96", "200x264x328"},
        {"single-cooperative-cluster", NARROW + "tileM=128 tileN=64 clusterM=2", "456x136x328"},
        {"single-cooperative-multicast", NARROW + ONE_WARPGROUP + "tileN=96 clusterN=2 waitDepth=1", "200x328x328"},
        {"static-cooperative", WIDE + "tileM=128 tileN=64 waitDepth=1", "456x200x264"},
        {"static-cooperative-cluster", NARROW + ONE_WARPGROUP + "tileN=96 clusterN=2", "200x488x136"},
        {"static-cooperative-multicast", WIDE + "tileM=128 tileN=64 clusterM=2 waitDepth=1", "456x200x264"},
        {"static-pingpong", NARROW + "tileM=64 tileN=96", "264x376x136"},
        {"static-pingpong-cluster", WIDE + "tileM=64 tileN=64 clusterM=2", "456x200x264"},
        {"static-pingpong-multicast", NARROW + "tileM=64 tileN=96 clusterN=2 waitDepth=1", "264x760x136"},
        {"atomic-cooperative", NARROW + "tileM=128 tileN=96", "456x376x136"},
        {"atomic-cooperative-cluster", NARROW + ONE_WARPGROUP + "tileN=96 clusterN=2 waitDepth=1", "200x488x136"},
        {"atomic-cooperative-multicast", WIDE + ONE_WARPGROUP + "tileN=64 clusterM=2", "456x200x264"},
        {"atomic-pingpong", NARROW + "tileM=64 tileN=96", "264x376x136"},
        {"atomic-pingpong-cluster", WIDE + "tileM=64 tileN=64 clusterM=2", "456x264x264"},
        {"atomic-pingpong-multicast", NARROW + "tileM=64 tileN=96 clusterN=2 waitDepth=1", "264x760x136"},
    };

    private MutationKernels() {}

    /** The kernels by name, in a fixed order. */
    public static Map<String, GemmCase> all() {
        Map<String, GemmCase> cases = new LinkedHashMap<>();
        for (String[] kernel : KERNELS) {
            String[] layout = kernel[0].split("-");
            String[] shape = kernel[2].split("x");
            String multicast = layout[layout.length - 1].equals("multicast") ? "both" : "none";
            cases.put(
                    kernel[0],
                    new GemmCase(
                            "scheduler=" + layout[0] + " mode=" + layout[1] + " multicast=" + multicast + " "
                                    + kernel[1],
                            Integer.parseInt(shape[0]),
                            Integer.parseInt(shape[1]),
                            Integer.parseInt(shape[2]),
                            GemmCase.Data.INTEGERS,
                            true));
        }
        return cases;
    }
}
