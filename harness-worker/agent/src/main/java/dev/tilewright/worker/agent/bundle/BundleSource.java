package dev.tilewright.worker.agent.bundle;

import dev.tilewright.bundle.BundleName;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleKernel;
import dev.tilewright.launch.bundle.GpuTarget;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.worker.agent.trial.KernelSource;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Kernels of bundles, and from another source those of other families.
 *
 * @param others that are no bundles
 */
public record BundleSource(FetchedBundles bundles, KernelSource others) implements KernelSource {

    private static final Pattern TARGET = Pattern.compile("sm_(\\d+).*");
    /** The oldest GPU that there is work for; a text for an older one is assembled for it. */
    private static final int OLDEST = 90;

    private static final String OLDEST_TARGET = "sm_90a";

    @Override
    public Made kernel(String family, Problem problem, Config config, DeviceLimits limits, boolean traced) {
        Optional<BundleName> name = BundleName.parse(family);
        if (name.isEmpty()) {
            return others.kernel(family, problem, config, limits, traced);
        }
        if (traced) {
            throw new IllegalArgumentException("a kernel of a bundle has no twin");
        }
        FetchedBundles.Fetched fetched = bundles.named(name.get());
        Bundle bundle = fetched.space().bundle();
        LaunchDescription launch = bundle.launch(problem, limits.smCount(), config);
        return switch (bundle.kernel(config)) {
            case BundleKernel.Text(String _, String entry, String target, String ptx) ->
                new Written(ptx, assembledFor(target), launch.of(entry), fetched.zip());
            case BundleKernel.Binary(String file, String entry, GpuTarget target, byte[] cubin) ->
                new Brought(file, target, cubin, launch.of(entry), fetched.zip());
        };
    }

    private static String assembledFor(String target) {
        Matcher matcher = TARGET.matcher(target);
        return matcher.matches() && Integer.parseInt(matcher.group(1)) < OLDEST ? OLDEST_TARGET : target;
    }
}
