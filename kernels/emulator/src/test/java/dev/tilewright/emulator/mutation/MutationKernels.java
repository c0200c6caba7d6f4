package dev.tilewright.emulator.mutation;

import dev.tilewright.emulator.gemm.GemmCase;
import java.util.LinkedHashMap;
import java.util.Map;

/** One small kernel of each role layout, on a shape that gives each CTA several tiles and each ring several wraps. */
final class MutationKernels {
    /** Three panels in two buffers. */
    private static final String PANELS = " tileK=32 swizzle=64 epilogueN=32 loadStages=3";

    /** One panel, another depth and swizzle. */
    private static final String ONE_PANEL = " tileK=64 swizzle=128 epilogueN=64 loadStages=3";

    private MutationKernels() {}

    static Map<String, GemmCase> all() {
        Map<String, GemmCase> cases = new LinkedHashMap<>();
        cases.put("static", gemm("scheduler=static tileM=128 tileN=64 waitDepth=1" + ONE_PANEL, 456, 200, 264, false));
        cases.put(
                "single",
                gemm("scheduler=single tileM=64 tileN=96 consumers=1 registers=0" + PANELS, 200, 264, 200, false));
        cases.put(
                "atomic-cluster",
                gemm(
                        "scheduler=atomic tileM=64 tileN=64 consumers=1 registers=0 clusterM=2 multicast=both"
                                + ONE_PANEL,
                        456,
                        200,
                        264,
                        true));
        cases.put(
                "pingpong-cluster",
                gemm(
                        "scheduler=static mode=pingpong tileM=64 tileN=96 clusterN=2 multicast=both waitDepth=1"
                                + PANELS,
                        264,
                        760,
                        136,
                        false));
        cases.put(
                "pingpong-atomic",
                gemm("scheduler=atomic mode=pingpong tileM=64 tileN=96" + PANELS, 264, 376, 136, true));
        return cases;
    }

    private static GemmCase gemm(String parameters, int m, int n, int k, boolean traced) {
        return new GemmCase(parameters, m, n, k, GemmCase.Data.INTEGERS, traced);
    }
}
