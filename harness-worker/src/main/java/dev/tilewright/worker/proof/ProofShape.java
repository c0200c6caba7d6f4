package dev.tilewright.worker.proof;

import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.space.DeviceLimits;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.SharedRegion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which problem to run in place of one that is too large to emulate: the smallest one, in multiply-adds, with the same
 * tails that goes as deep. Same tails: M and N have the same remainder to the tile of a cluster and K to the depth of a
 * stage, and where the asked extent has two blocks of them, this one has two at least. As deep: each count of {@link Depth} is 3, or what the
 * asked problem has if it has fewer. No extent is larger than the one that was asked for.
 *
 * <p>Counts are foretold here; those that a proof states are taken from its runs.
 */
final class ProofShape {

    /** Problems of up to so many multiply-adds run as they are: some seconds a seed. */
    private static final double SMALL = 0x1p28;
    /** As do those that cost not much more than what would be run instead. */
    private static final double ABOUT_AS_LARGE = 2;

    /** Tiles by which a CTA may fall behind the others where they are given to who asks first. */
    private static final int UNEVEN = 1;

    private static final String FULL = "Full";
    /** The full barriers of the ring that gets a stage for each block of K; every other ring gets one for each tile. */
    private static final String LOAD = "loadFull";
    /** Those of the ring through which a dynamic scheduler hands out tiles. */
    private static final String TILE = "tileFull";

    private final Problem asked;
    private final Config config;
    private final GemmKernel kernel;
    private final DeviceLimits limits;
    private final List<SharedRegion> rings;
    private final Extent m;
    private final Extent n;
    private final Extent k;

    ProofShape(Problem asked, Config config, GemmKernel kernel, DeviceLimits limits) {
        this.asked = asked;
        this.config = config;
        this.kernel = kernel;
        this.limits = limits;
        String entry = kernel.launch(asked, limits, config).entry();
        rings = kernel.module().entry(entry).dynamicShared().regions().stream()
                .filter(region -> region.kind() == SharedRegion.Kind.BARRIERS
                        && region.name().endsWith(FULL))
                .toList();
        ProblemShape shape = asked.shape();
        m = new Extent(shape.m(), config.whole("tileM") * config.whole("clusterM"));
        n = new Extent(shape.n(), config.whole("tileN") * config.whole("clusterN"));
        k = new Extent(shape.k(), config.whole("tileK"));
    }

    /** The problem to run. */
    Problem problem() {
        Problem smallest = smallest();
        double multiplyAdds = multiplyAdds(asked.shape());
        boolean asItIs =
                multiplyAdds <= SMALL || multiplyAdds <= ABOUT_AS_LARGE * multiplyAdds(smallest.shape());
        return asItIs ? asked : smallest;
    }

    /** The smallest problem that will do. */
    Problem smallest() {
        Depth goal = foretold(m.blocks(), n.blocks(), k.blocks()).atMost(Depth.NEEDED);
        ProblemShape best = asked.shape();
        for (int rows = m.fewest(); rows <= m.blocks(); rows++) {
            for (int columns = n.fewest(); columns <= n.blocks(); columns++) {
                Optional<Integer> depth = fewestInK(rows, columns, goal);
                if (depth.isPresent()) {
                    ProblemShape shape = new ProblemShape(m.of(rows), n.of(columns), k.of(depth.get()));
                    best = multiplyAdds(shape) < multiplyAdds(best) ? shape : best;
                    if (depth.get() == k.fewest()) {
                        break;
                    }
                }
            }
            if (fewestInK(rows, n.fewest(), goal).filter(depth -> depth == k.fewest()).isPresent()) {
                break;
            }
        }
        return with(best);
    }

    /** The fewest blocks of K that reach the goal with so many tiles; none if no number does. */
    private Optional<Integer> fewestInK(int rows, int columns, Depth goal) {
        int low = k.fewest();
        int high = k.blocks();
        if (!foretold(rows, columns, high).reaches(goal)) {
            return Optional.empty();
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (foretold(rows, columns, middle).reaches(goal)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return Optional.of(low);
    }

    /** What a run of so many blocks will count, with good reason to hope so where the scheduler is dynamic. */
    Depth foretold(int rows, int columns, int depth) {
        KernelLaunch launch =
                kernel.launch(with(new ProblemShape(m.of(rows), n.of(columns), k.of(depth))), limits, config);
        int tiles = Math.multiplyExact(rows, columns);
        int evenly = tiles / (launch.gridX() / launch.clusterSize());
        int tilesOfCta = isDynamic() ? Math.max(1, evenly - UNEVEN) : evenly;
        Map<String, Integer> counts = new TreeMap<>();
        if (Prover.isPersistent(config)) {
            counts.put(Depth.TILES, tilesOfCta);
        } else {
            counts.put(Depth.WAVES, Depth.waves(launch.gridX(), launch.clusterSize(), limits.smCount()));
        }
        for (SharedRegion ring : rings) {
            int fills = ring.name().equals(LOAD) ? Math.multiplyExact(tilesOfCta, depth) : tilesOfCta;
            counts.put(Depth.WRAPS + ring.name(), fills / ring.count());
        }
        return new Depth(new TreeMap<>(counts));
    }

    private boolean isDynamic() {
        return rings.stream().anyMatch(ring -> ring.name().equals(TILE));
    }

    private Problem with(ProblemShape shape) {
        return new Problem(List.of(shape), asked.batch(), asked.types(), asked.major(), asked.scenario());
    }

    private static double multiplyAdds(ProblemShape shape) {
        return shape.flops() / 2;
    }
}
