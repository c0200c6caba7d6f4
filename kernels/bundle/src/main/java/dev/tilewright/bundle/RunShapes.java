package dev.tilewright.bundle;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.family.Blocking;
import java.util.List;
import java.util.stream.Stream;

/**
 * The problems that a proof of a bundle runs in place of one that is too large to emulate: small ones with the same
 * tails, and deeper ones for a kernel that is not exercised enough by them. Nothing is known of how a kernel of others
 * cuts its work but what its parameters say, so the emulator has to tell how deep a run went.
 */
public final class RunShapes {

    /** A problem of at most so many multiply-adds runs as it is where nothing smaller does. */
    private static final double SMALL = 0x1p29;

    private static final int MOST_BATCH = 2;
    private static final int ROWS = 3;
    private static final int COLUMNS = 4;
    private static final List<Integer> DEPTHS = List.of(4, 12, 32);

    private RunShapes() {}

    /**
     * The problems to try, the smallest first; empty if the bundle takes none that is small enough.
     *
     * @param sms of the emulated GPU
     */
    public static List<Problem> of(BundleSpace space, Problem asked, Config config, int sms) {
        Blocking blocking = space.blocking(config);
        ProblemShape shape = asked.shape();
        Stream<Problem> smaller = DEPTHS.stream()
                .map(depth -> new ProblemShape(
                        blocks(shape.m(), blocking.rows(), ROWS),
                        blocks(shape.n(), blocking.columns(), COLUMNS),
                        blocks(shape.k(), blocking.depth(), depth)))
                .map(small -> asked.of(List.of(small), Math.min(asked.batch(), MOST_BATCH)));
        return Stream.concat(asked.groups().size() == 1 ? smaller : Stream.empty(), Stream.of(asked))
                .distinct()
                .filter(problem -> problem.flops() / 2 <= SMALL)
                .filter(problem -> space.refusal(problem).isEmpty())
                .filter(problem ->
                        space.bundle().violation(problem, sms, config).isEmpty())
                .toList();
    }

    /** At most so many blocks of an extent, the last as full as its last. */
    private static int blocks(int extent, int block, int most) {
        int tail = extent % block == 0 ? block : extent % block;
        return Math.min(extent, (most - 1) * block + tail);
    }
}
