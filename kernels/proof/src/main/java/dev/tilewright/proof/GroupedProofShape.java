package dev.tilewright.proof;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.space.family.Blocking;
import java.util.List;

/**
 * The same as {@link ProofShape} for several GEMMs: all groups stay, each with its own tails. Of each at most so many
 * blocks along M and N are kept, the same number for all, and along K in proportion to the deepest, so that what was
 * uneven stays uneven. That number is the smallest that goes deep enough.
 */
final class GroupedProofShape {

    /** How deep the runs of a problem will go. */
    interface Foretelling {

        /**
         * @param tiles cluster tiles
         * @param depth blocks of K of the tile that has the fewest
         */
        Depth of(int tiles, int depth);
    }

    private static final int MIN_BLOCKS = 2;
    /** Blocks of K of the deepest group for each block along M and N. */
    private static final int DEEPER = 2;

    private final Problem asked;
    private final Blocking blocking;
    private final Foretelling foretelling;
    private final int deepest;

    GroupedProofShape(Problem asked, Blocking blocking, Foretelling foretelling) {
        this.asked = asked;
        this.blocking = blocking;
        this.foretelling = foretelling;
        deepest = asked.groups().stream()
                .mapToInt(shape -> k(shape).blocks())
                .max()
                .orElseThrow();
    }

    private Extent m(ProblemShape shape) {
        return new Extent(shape.m(), blocking.rows());
    }

    private Extent n(ProblemShape shape) {
        return new Extent(shape.n(), blocking.columns());
    }

    private Extent k(ProblemShape shape) {
        return new Extent(shape.k(), blocking.depth());
    }

    /** The problem to run. */
    Problem problem() {
        double multiplyAdds = asked.batch()
                * asked.groups().stream()
                        .mapToDouble(shape ->
                                m(shape).padded(shape.m()) * n(shape).padded(shape.n()) * k(shape).padded(shape.k()))
                        .sum();
        if (multiplyAdds <= ProofShape.SMALL) {
            return asked;
        }
        Depth goal = foretold(asked).atMost(Depth.NEEDED);
        Problem run = ofBlocks(MIN_BLOCKS);
        for (int blocks = MIN_BLOCKS + 1; !foretold(run).reaches(goal); blocks++) {
            run = ofBlocks(blocks);
        }
        return run;
    }

    private Depth foretold(Problem run) {
        int shallowest =
                run.groups().stream().mapToInt(shape -> k(shape).blocks()).min().orElseThrow();
        int tiles = run.groups().stream()
                .mapToInt(shape -> Math.multiplyExact(m(shape).blocks(), n(shape).blocks()))
                .sum();
        return foretelling.of(Math.multiplyExact(tiles, run.batch()), shallowest);
    }

    /** The asked problem itself, if each group has no more blocks than that. */
    private Problem ofBlocks(int blocks) {
        List<ProblemShape> groups =
                asked.groups().stream().map(shape -> ofBlocks(shape, blocks)).toList();
        return asked.of(groups, asked.batch());
    }

    private ProblemShape ofBlocks(ProblemShape shape, int blocks) {
        Extent m = m(shape);
        Extent n = n(shape);
        Extent k = k(shape);
        long inProportion = Math.ceilDiv((long) k.blocks() * DEEPER * blocks, deepest);
        return new ProblemShape(m.of(Math.min(m.blocks(), blocks)), n.of(Math.min(n.blocks(), blocks)), k.of((int)
                Math.max(k.fewest(), Math.min(k.blocks(), inProportion))));
    }
}
