package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.TileNumbering;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.Entry;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import java.util.function.Function;

/**
 * How a kernel is launched: its grid, and what its parameters are bound to.
 *
 * @param space of the kernel's family
 * @param built the text parameters of the kernel, by type
 * @param typed reads the text parameters of a config, to be compared with those
 * @param params of the entry, and what a launch passes for them
 */
public record TiledLaunchRule(
        FamilySpace space,
        Object built,
        Function<Config, ?> typed,
        KernelTraits traits,
        Entry entry,
        BoundParams<LaunchFacts> params)
        implements GemmKernel.LaunchRule {

    @Override
    public KernelLaunch launch(Problem problem, DeviceLimits limits, Config config) {
        space.refusal(problem).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        if (!typed.apply(config).equals(built)) {
            throw new IllegalArgumentException("the kernel was built for other text parameters, " + built
                    + ", than those of " + config.canonical());
        }
        requireOperands(problem, config);
        requireBlocks(problem, config);
        TileNumbering tiles = TileNumbering.of(problem, config);
        int clusters = clusters(tiles.pieces(), problem.scenario(), limits, config);
        LaunchFacts facts = new LaunchFacts(
                problem, config, tiles, limits.deal(tiles.clusterSize()).within(clusters));
        return new KernelLaunch(
                entry.name(),
                clusters * tiles.clusterSize(),
                traits.threads(),
                tiles.clusterSize(),
                entry.dynamicShared().bytes(),
                params.arguments(facts),
                params.buffers(facts),
                params.filled(facts),
                traits.overlaps());
    }

    private void requireOperands(Problem problem, Config config) {
        if (!problem.types().equals(traits.types())) {
            throw new IllegalArgumentException("the kernel computes " + traits.types() + ", the problem has "
                    + problem.types() + ": " + config.canonical());
        }
        if (problem.scales() != traits.scales()) {
            throw new IllegalArgumentException("the kernel has scales = " + traits.scales() + ", the problem has "
                    + problem.scales() + ": " + config.canonical());
        }
        if (!problem.epilogue().equals(traits.epilogue())) {
            throw new IllegalArgumentException("the kernel has the epilogue '" + traits.epilogue()
                    + "', the problem has '" + problem.epilogue() + "': " + config.canonical());
        }
        if (!problem.major().equals(traits.majors())) {
            throw new IllegalArgumentException("the kernel computes " + traits.majors() + ", the problem has "
                    + problem.major() + ": " + config.canonical());
        }
    }

    /** Each piece of a tile has a block of K, whether a cluster has it or a CTA of one. */
    private void requireBlocks(Problem problem, Config config) {
        int blocks = traits.kBlocks(problem);
        int pieces = traits.pieces() * traits.parts();
        if (pieces > blocks) {
            throw new IllegalArgumentException("k = " + problem.shape().k() + " has " + blocks + " blocks of "
                    + traits.tileK() + ", fewer than the " + pieces + " pieces of a tile: "
                    + config.canonical());
        }
    }

    /**
     * Where all clusters are resident at a time there are no more than fit; each cluster has a tile, or a piece of one.
     */
    @Override
    public int clusters(int pieces, Scenario scenario, DeviceLimits limits, Config config) {
        if (!traits.scheduler().residentGrid()) {
            return pieces;
        }
        return Math.min(pieces, limits.persistentClusters(config, scenario));
    }
}
