package dev.tilewright.proof.bundle;

import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws small problems that a bundle takes and has a config for. Extents are multiples of what its conditions ask for,
 * and of no more, so that they leave tails; one problem has a long K, for rings wrap along K.
 */
public final class ShapeDraw {
    /** How many problems are drawn. */
    public static final int PROBLEMS = 3;

    private static final int[] STEPS = {1, 2, 4, 8, 16, 32, 64, 128, 256};
    private static final int TRIES = 20_000;
    private static final int MOST = 96;
    /** Of M and N beside a long K: the work of a proof is their product. */
    private static final int MOST_BESIDE_LONG = 32;

    private static final int MOST_LONG = 800;
    private static final int LEAST_LONG = 500;
    private static final int MOST_BATCH = 3;

    private final Bundle bundle;
    private final int sms;
    private final SplittableRandom random;

    private ShapeDraw(Bundle bundle, int sms, long seed) {
        this.bundle = bundle;
        this.sms = sms;
        this.random = new SplittableRandom(seed);
    }

    /** The same problems for the same seed; empty if all that was tried is refused. */
    public static List<Problem> of(Bundle bundle, int sms, long seed) {
        return bundle.problem().only().map(List::of).orElseGet(() -> new ShapeDraw(bundle, sms, seed).drawn());
    }

    private List<Problem> drawn() {
        List<Problem> drawn = new ArrayList<>();
        for (int i = 0; i < PROBLEMS; i++) {
            boolean deep = i == PROBLEMS - 1;
            // Of those that are allowed the one with the most tails: the least multiples.
            random.ints(TRIES)
                    .mapToObj(_ -> problem(deep))
                    .filter(problem -> bundle.problem().refusal(problem).isEmpty())
                    .filter(problem -> bundle.configs(problem, sms).findAny().isPresent())
                    .limit(2L * STEPS.length)
                    .min(Comparator.comparingInt(problem -> evenness(problem.shape())))
                    .filter(problem -> !drawn.contains(problem))
                    .ifPresent(drawn::add);
        }
        return drawn;
    }

    private Problem problem(boolean deep) {
        int batch = bundle.problem().batched() ? 1 + random.nextInt(MOST_BATCH) : 1;
        int most = deep ? MOST_BESIDE_LONG : MOST;
        return bundle.problem()
                .of(
                        new ProblemShape(
                                extent(1, most),
                                extent(1, most),
                                deep ? extent(LEAST_LONG, MOST_LONG) : extent(1, MOST)),
                        batch);
    }

    private int extent(int least, int most) {
        int step = STEPS[random.nextInt(STEPS.length)];
        int steps = Math.max(1, most / step);
        int fewest = Math.min(steps, Math.ceilDiv(least, step));
        return step * (fewest + random.nextInt(steps - fewest + 1));
    }

    private static int evenness(ProblemShape shape) {
        return Integer.numberOfTrailingZeros(shape.m())
                + Integer.numberOfTrailingZeros(shape.n())
                + Integer.numberOfTrailingZeros(shape.k());
    }
}
