package dev.tilewright.proof;

import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.Blocking;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Finds the run shape: the problem that a proof runs in place of one that is too large to emulate. It is the smallest
 * problem that has the same tails and goes as deep.
 *
 * <ul>
 *   <li>Smallest: it has the fewest blocks of K, counted over all tiles, because the emulator's time goes into these.
 *       Of several such problems it has the fewest tiles.
 *   <li>Same tails: M and N leave the same remainder when they are divided by the tile of a cluster, and K when it is
 *       divided by the depth of a stage. Where the asked extent has two blocks or more, the run has at least two.
 *   <li>As deep: each count of {@link Depth} is at least 3, or that of the asked problem if this has fewer.
 *   <li>No extent is larger than the one that was asked for.
 * </ul>
 *
 * <p>The counts are foretold here. Those that a proof states are taken from its runs.
 */
final class ProofShape {

    /**
     * A problem of at most so many multiply-adds runs as it is, if it is deep enough. A seed of it takes some seconds.
     */
    static final double SMALL = 0x1p29;
    /** So does a problem that has at most so many times the multiply-adds of the smallest that would do. */
    private static final double ABOUT_AS_LARGE = 2;

    /** How many tiles a CTA may fall behind the others where a dynamic scheduler hands out tiles. */
    private static final int UNEVEN = 1;

    private static final String FULL = "Full";
    /** The full barriers of the ring that gets a stage for each block of K; every other ring gets one for each tile. */
    private static final String LOAD = "loadFull";
    /** The full barriers of the ring through which a dynamic scheduler hands out tiles. */
    private static final String TILE = "tileFull";

    private final Problem asked;
    private final Config config;
    private final Blocking blocking;
    private final GemmKernel kernel;
    private final DeviceLimits limits;
    private final List<SharedRegion> rings;
    private final Extent m;
    private final Extent n;
    private final Extent k;

    /** @param blocking of the config; a piece of a tile counts as a tile */
    ProofShape(Problem asked, Config config, Blocking blocking, GemmKernel kernel, DeviceLimits limits) {
        this.asked = asked;
        this.config = config;
        this.blocking = blocking;
        this.kernel = kernel;
        this.limits = limits;
        String entry = kernel.launch(asked, limits, config).entry();
        rings = kernel.module().entry(entry).dynamicShared().regions().stream()
                .filter(region -> region.kind() == SharedRegion.Kind.BARRIERS
                        && region.name().endsWith(FULL))
                .toList();
        ProblemShape shape = asked.shape();
        m = new Extent(shape.m(), blocking.rows());
        n = new Extent(shape.n(), blocking.columns());
        k = new Extent(shape.k(), blocking.depth());
    }

    /** The problem to run. */
    Problem problem() {
        if (!asked.isSingle()) {
            return new GroupedProofShape(asked, blocking, this::foretold).problem();
        }
        double multiplyAdds = multiplyAdds(asked.shape());
        boolean deep = foretold(m.blocks(), n.blocks(), k.blocks()).reaches(goal());
        if (multiplyAdds <= SMALL && deep) {
            return asked;
        }
        Problem smallest = smallest();
        return deep && multiplyAdds <= ABOUT_AS_LARGE * multiplyAdds(smallest.shape()) ? asked : smallest;
    }

    /** How many blocks each of the three extents has. */
    private record Blocks(int rows, int columns, int depth) {
        static final Comparator<Blocks> SMALLEST_FIRST = Comparator.comparingLong(
                        (Blocks blocks) -> (long) blocks.tiles() * blocks.depth)
                .thenComparingInt(Blocks::tiles)
                .thenComparingInt(blocks -> Math.abs(blocks.rows - blocks.columns));

        int tiles() {
            return Math.multiplyExact(rows, columns);
        }
    }

    /** The smallest problem that reaches the goal; of equal ones the one with the squarest output. */
    Problem smallest() {
        return with(shape(smallest(goal()).orElseThrow()));
    }

    /** The depth that a run must reach. */
    Depth goal() {
        return foretold(m.blocks(), n.blocks(), k.blocks()).atMost(Depth.NEEDED);
    }

    private Optional<Blocks> smallest(Depth goal) {
        List<Blocks> enough = new ArrayList<>();
        for (int rows = m.fewest(); rows <= m.blocks(); rows++) {
            for (int columns = n.fewest(); columns <= n.blocks(); columns++) {
                OptionalInt depth = fewestInK(rows, columns, goal);
                if (depth.isEmpty()) {
                    continue;
                }
                enough.add(new Blocks(rows, columns, depth.getAsInt()));
                if (depth.getAsInt() == fewestBlocksInK()) {
                    // More columns would only cost more; more rows too, if no fewer columns are possible.
                    if (columns == n.fewest()) {
                        return smallestOf(enough);
                    }
                    break;
                }
            }
        }
        return smallestOf(enough);
    }

    private static Optional<Blocks> smallestOf(List<Blocks> enough) {
        return enough.stream().min(Blocks.SMALLEST_FIRST);
    }

    private ProblemShape shape(Blocks blocks) {
        return new ProblemShape(m.of(blocks.rows()), n.of(blocks.columns()), k.of(blocks.depth()));
    }

    private int fewestBlocksInK() {
        return Math.max(k.fewest(), blocking.fewestBlocks());
    }

    /** The fewest blocks of K with which so many tiles reach the goal; empty if no number does. */
    private OptionalInt fewestInK(int rows, int columns, Depth goal) {
        int low = fewestBlocksInK();
        int high = k.blocks();
        if (!foretold(rows, columns, high).reaches(goal)) {
            return OptionalInt.empty();
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (foretold(rows, columns, middle).reaches(goal)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return OptionalInt.of(low);
    }

    /** The depth that a run of so many blocks will have. Where the scheduler is dynamic it is likely, not certain. */
    Depth foretold(int rows, int columns, int depth) {
        int tiles = Math.multiplyExact(rows, columns);
        return foretold(Math.multiplyExact(tiles, blocking.pieces()), depth / blocking.fewestBlocks());
    }

    /**
     * The depth that a run will have.
     *
     * @param tiles cluster tiles, or pieces of them
     * @param depth blocks of K of the CTA whose tile, piece or part has the fewest
     */
    private Depth foretold(int tiles, int depth) {
        int clusterSize = blocking.clusterSize();
        int clusters = kernel.clusters(tiles, asked.scenario(), limits, config);
        int resident = limits.residentCtas(config);
        // Where clusters take over the tiles of others, the grid may have more than ever run.
        int running = isDynamic() ? Math.min(clusters, resident / clusterSize) : clusters;
        int evenly = tiles / Math.max(1, running);
        int tilesOfCta = isDynamic() ? Math.max(1, evenly - UNEVEN) : evenly;
        Map<String, Integer> counts = new TreeMap<>();
        if (Prover.isPersistent(config)) {
            counts.put(Depth.TILES, tilesOfCta);
        } else {
            counts.put(Depth.WAVES, Depth.waves(clusters * clusterSize, clusterSize, resident));
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
        return asked.of(List.of(shape), asked.batch());
    }

    /** Multiply-adds that the tensor cores do: they multiply tails as whole blocks. */
    private double multiplyAdds(ProblemShape shape) {
        return m.padded(shape.m()) * n.padded(shape.n()) * k.padded(shape.k());
    }
}
