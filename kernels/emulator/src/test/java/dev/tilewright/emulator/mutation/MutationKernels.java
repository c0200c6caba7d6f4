package dev.tilewright.emulator.mutation;

import dev.tilewright.emulator.gemm.GemmCase;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One small kernel of every role layout: of sm90-gemm by tile scheduler, mode, and no cluster, a cluster, or a cluster
 * with multicast; of sm100-gemm by tile scheduler and one CTA, a pair, or a cluster with multicast; and two with an
 * epilogue of each. All are traced twins, so that a tile visited twice or never shows.
 *
 * <p>The shapes have tails in all dimensions; each CTA of a persistent kernel takes several tiles, each ring wraps
 * several times.
 */
public final class MutationKernels {
    private static final String NARROW = "tileK=32 swizzle=64 epilogueN=32 loadStages=3 ";
    private static final String WIDE = "tileK=64 swizzle=128 epilogueN=64 loadStages=3 ";
    private static final String ONE_WARPGROUP = "consumers=1 registers=0 tileM=64 ";

    /** Name, parameters, problem shape. */
    private static final String[][] SM90 = {
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
        {"static-cooperative-bias", WIDE + "tileM=128 tileN=64 waitDepth=1 epilogue=bias,relu", "456x200x136"},
        {"static-pingpong-rows", WIDE + "tileM=128 tileN=64 swapAB=1 epilogue=beta=-2,bias-m,relu", "136x456x136"},
    };

    private static final String SHALLOW = "tileK=32 ";
    private static final String PAIR = "ctaGroup=2 tileM=256 clusterM=2 tileK=32 ";
    private static final String DOUBLE = "accumulatorStages=2 ";
    /** Four panels to a tile, twice as many as there are buffers. */
    private static final String PANELS = "epilogueN=16 ";

    private static final String[][] SM100 = {
        {"single-one", SHALLOW + PANELS + "loadStages=2", "200x136x136"},
        {"single-pair", PAIR + PANELS + "loadStages=2", "328x136x136"},
        {"single-multicast", SHALLOW + PANELS + "loadStages=3 clusterM=2", "328x136x200"},
        {"static-one", "tileK=64 epilogueN=64 loadStages=2 " + DOUBLE, "456x200x136"},
        {"static-pair", PAIR + "loadStages=3", "456x200x136"},
        {"static-multicast", SHALLOW + "loadStages=2 clusterN=2 " + DOUBLE, "328x488x72"},
        {"atomic-one", SHALLOW + "loadStages=3 clcStages=2 clcPrefetch=2 " + DOUBLE, "456x200x136"},
        {"atomic-pair", PAIR + "loadStages=2 clcStages=2 clcThrottle=load " + DOUBLE, "456x200x72"},
        {"atomic-multicast", SHALLOW + PANELS + "loadStages=2 clusterM=2 clcStages=3 clcPrefetch=2", "456x200x72"},
        {"clc-one", SHALLOW + "loadStages=3 clcStages=2 clcThrottle=load " + DOUBLE, "456x200x136"},
        {"clc-pair", PAIR + "loadStages=2 clcStages=3 clcPrefetch=2 " + DOUBLE, "456x200x72"},
        {"clc-multicast", SHALLOW + "loadStages=2 clusterM=2 clcStages=2 " + DOUBLE, "456x200x72"},
        {
            "clc-pair-multicast",
            PAIR + "loadStages=2 clusterN=2 clcStages=3 clcPrefetch=3 clcThrottle=mainloop " + DOUBLE,
            "456x264x72"
        },
        {"static-one-bias", SHALLOW + PANELS + "loadStages=2 epilogue=bias,relu", "200x136x136"},
        {"static-one-rows", SHALLOW + "loadStages=3 epilogue=beta=-2,bias-m,relu", "200x136x136"},
    };

    private MutationKernels() {}

    /** Those of sm90-gemm by name, in a fixed order. */
    public static Map<String, GemmCase> sm90() {
        return cases(SM90, (kernel, m, n, k) -> {
            String[] layout = kernel[0].split("-");
            String parameters = common(kernel) + " mode=" + layout[1] + " " + kernel[1];
            return new GemmCase(parameters, m, n, k, GemmCase.Data.INTEGERS, true);
        });
    }

    /** Those of sm100-gemm likewise. */
    public static Map<String, GemmCase> sm100() {
        return cases(
                SM100,
                (kernel, m, n, k) ->
                        GemmCase.sm100(common(kernel) + " " + kernel[1], m, n, k, GemmCase.Data.INTEGERS, true));
    }

    private static String common(String[] kernel) {
        return "scheduler=" + kernel[0].substring(0, kernel[0].indexOf('-')) + " multicast="
                + (kernel[0].endsWith("multicast") ? "both" : "none");
    }

    private interface Builder {
        GemmCase build(String[] kernel, int m, int n, int k);
    }

    private static Map<String, GemmCase> cases(String[][] kernels, Builder builder) {
        Map<String, GemmCase> cases = new LinkedHashMap<>();
        for (String[] kernel : kernels) {
            String[] shape = kernel[2].split("x");
            cases.put(
                    kernel[0],
                    builder.build(
                            kernel,
                            Integer.parseInt(shape[0]),
                            Integer.parseInt(shape[1]),
                            Integer.parseInt(shape[2])));
        }
        return cases;
    }
}
