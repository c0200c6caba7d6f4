package dev.tilewright.worker.agent.trial;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;

/**
 * Kernels of libraries that are installed beside GPUs, of which nothing is made here, and from another source those of
 * other families.
 *
 * @param others that are built
 */
public record LibrarySource(Families spaces, KernelSource others) implements KernelSource {

    @Override
    public Made kernel(String family, Problem problem, Config config, DeviceLimits limits, boolean traced) {
        if (!spaces.isInstalled(family)) {
            return others.kernel(family, problem, config, limits, traced);
        }
        if (traced) {
            throw new IllegalArgumentException(FamilySpace.noText(family) + ": it has no twin");
        }
        return new OfLibrary(family, config);
    }
}
