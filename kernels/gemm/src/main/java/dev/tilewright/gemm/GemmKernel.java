package dev.tilewright.gemm;

import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.oracle.SumError;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.space.device.DeviceLimits;

/**
 * A built kernel: one text for all problem shapes, and the rule by which it is launched for one of them.
 *
 * @param module the kernel as data
 * @param text the module as PTX, what an assembler reads
 * @param traced whether it fills a trace buffer
 * @param sumError how far its sums may be off; its mainloop says it
 */
public record GemmKernel(PtxModule module, String text, boolean traced, LaunchRule rule, SumError sumError) {

    /** How a kernel is launched for a problem. */
    public interface LaunchRule {
        KernelLaunch launch(Problem problem, DeviceLimits limits, Config config);

        int clusters(int pieces, Scenario scenario, DeviceLimits limits, Config config);
    }

    /**
     * The launch for a problem on a device; launch parameters are resolved here.
     *
     * @param config the config of the kernel, or another one that differs in launch parameters alone
     * @throws IllegalArgumentException if the family refuses the problem, or a text parameter differs from the kernel's
     */
    public KernelLaunch launch(Problem problem, DeviceLimits limits, Config config) {
        return rule.launch(problem, limits, config);
    }

    /**
     * Clusters in the grid of a launch, without laying out what it would compute.
     *
     * @param pieces cluster tiles of the problem, or pieces of them where they are split
     * @param scenario of the problem: a persistent grid takes the SMs that it leaves
     */
    public int clusters(int pieces, Scenario scenario, DeviceLimits limits, Config config) {
        return rule.clusters(pieces, scenario, limits, config);
    }
}
