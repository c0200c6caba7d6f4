package dev.tilewright.space;

import dev.tilewright.model.space.Config;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Configs drawn uniformly, without repeats, and balanced over the tile schedulers: the n-th draw takes the scheduler n
 * mod S of the S that the space lists, and draws uniformly from what that scheduler has left. Uniform draws over the
 * whole space would starve a scheduler with few configs ({@code single} has no grid sizes), and the schedulers are what
 * a study compares. A scheduler that is used up passes its turn on to the next.
 *
 * <p>The n-th draw has a random stream of its own, made from the seed and n, so that the sequence does not depend on
 * how many are drawn at a time. What is left is counted exactly, so nothing is drawn in vain and the end is known.
 */
public final class BalancedDraws {

    private static final String BALANCED = "scheduler";

    private BalancedDraws() {}

    /**
     * So many configs, or all that are left if they are fewer.
     *
     * @param known configs that are drawn no more
     * @param first the number of the first of these draws, from 0
     */
    public static List<Config> of(SpaceTree space, Set<Config> known, int first, int count, long seed) {
        List<SpaceTree> strata = space.parts(BALANCED);
        Set<Config> taken = new HashSet<>(known);
        List<Config> drawn = new ArrayList<>();
        while (drawn.size() < count) {
            int turn = first + drawn.size();
            Optional<Config> next = next(strata, taken, turn, stream(seed, turn));
            if (next.isEmpty()) {
                break;
            }
            taken.add(next.get());
            drawn.add(next.get());
        }
        return drawn;
    }

    /**
     * The stream of one draw. Its seed is mixed twice: neighbouring seeds of this generator give streams that overlap.
     */
    private static RandomGenerator stream(long seed, int turn) {
        return new SplittableRandom(new SplittableRandom(new SplittableRandom(seed).nextLong() + turn).nextLong());
    }

    private static Optional<Config> next(List<SpaceTree> strata, Set<Config> taken, int turn, RandomGenerator random) {
        for (int i = 0; i < strata.size(); i++) {
            Optional<Config> drawn = drawn(strata.get((turn + i) % strata.size()), taken, random);
            if (drawn.isPresent()) {
                return drawn;
            }
        }
        return Optional.empty();
    }

    /** One of all that are left, each as likely: the n-th that is not taken. */
    private static Optional<Config> drawn(SpaceTree stratum, Set<Config> taken, RandomGenerator random) {
        long[] numbers = taken.stream()
                .map(stratum::number)
                .filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong)
                .sorted()
                .toArray();
        long left = stratum.size() - numbers.length;
        if (left == 0) {
            return Optional.empty();
        }
        long number = random.nextLong(left);
        for (long each : numbers) {
            if (each > number) {
                break;
            }
            number++;
        }
        return Optional.of(stratum.config(number));
    }
}
