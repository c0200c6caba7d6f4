package dev.tilewright.worker.cli.bundle;

import dev.tilewright.launch.Extents;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.proof.bundle.ConfigDraw;
import dev.tilewright.proof.bundle.ShapeDraw;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a description that was filled for earlier compiles fits the kernels of today.
 *
 * @param misfits a line each: the variant, the value and what the kernel needs
 * @param unused kernels that no config takes
 */
record TritonFit(List<String> misfits, List<TritonVariant> unused) {
    private static final String VARIANT = "variant";
    private static final int THREADS_OF_WARP = 32;
    private static final int SMS = 4;
    private static final long SEED = 1;

    TritonFit {
        misfits = List.copyOf(misfits);
        unused = List.copyOf(unused);
    }

    /** @throws BundleException if the launch of a config cannot be computed */
    static TritonFit of(Bundle bundle, List<TritonVariant> variants) {
        List<TritonVariant> unused = new ArrayList<>(variants);
        List<String> misfits = new ArrayList<>();
        List<ParameterValue> named = bundle.parameters().stream()
                .filter(parameter -> parameter.name().equals(VARIANT))
                .flatMap(parameter -> parameter.values().stream())
                .toList();
        List<ParameterValue> gone = named.stream()
                .filter(value ->
                        variants.stream().noneMatch(variant -> variant.name().equals(value.toString())))
                .toList();
        gone.forEach(value -> misfits.add("variant " + value + ": the cache has no such kernel"));
        List<Problem> problems = ShapeDraw.of(bundle, SMS, SEED);
        if (problems.isEmpty()) {
            misfits.add(
                    "problem: no small shape was found that the bundle takes, so that its launch could be computed");
        }
        Map<Config, List<Problem>> configs = new ConfigDraw(bundle, SMS, Map.of(), SEED).of(problems, Optional.empty());
        configs.forEach((config, allowed) -> {
            if (config.has(VARIANT) && gone.contains(config.value(VARIANT))) {
                return;
            }
            String file = bundle.kernel(config).file();
            variants.stream()
                    .filter(variant -> variant.file().equals(file))
                    .findFirst()
                    .ifPresentOrElse(
                            variant -> {
                                unused.remove(variant);
                                misfits(variant, bundle.launch(allowed.getFirst(), SMS, config)).stream()
                                        .map(misfit -> "variant " + variant.name() + ": " + misfit)
                                        .filter(misfit -> !misfits.contains(misfit))
                                        .forEach(misfits::add);
                            },
                            () -> misfits.add("kernel: " + file + " of " + config + " is no kernel of the cache"));
        });
        return new TritonFit(misfits, unused);
    }

    private static List<String> misfits(TritonVariant variant, LaunchDescription launch) {
        List<String> misfits = new ArrayList<>();
        List<PtxSignature.Parameter> takes = variant.signature().parameters();
        if (takes.size() != launch.parameters().size()) {
            misfits.add("launch.parameters has " + launch.parameters().size() + ", the kernel takes " + takes.size()
                    + ": " + variant.taken());
        } else {
            for (int i = 0; i < takes.size(); i++) {
                int given = launch.parameters().get(i).bytes();
                if (given != takes.get(i).bytes()) {
                    misfits.add("launch.parameters[" + i + "] has " + given + " bytes, the kernel takes a "
                            + takes.get(i).type() + ": " + variant.taken());
                }
            }
        }
        long threads = launch.block().count();
        if (threads != (long) variant.warps() * THREADS_OF_WARP) {
            misfits.add("launch.block has " + threads + " threads, the kernel " + variant.warps() + " warps of "
                    + THREADS_OF_WARP);
        }
        if (launch.dynamicShared() != variant.shared()) {
            misfits.add("launch.dynamicShared is " + launch.dynamicShared() + " bytes, the kernel needs "
                    + variant.shared());
        }
        long cluster = launch.cluster().map(Extents::count).orElse(1L);
        if (cluster != variant.ctas()) {
            misfits.add("launch.cluster has " + cluster + " CTAs, the kernel " + variant.ctas());
        }
        return misfits;
    }
}
