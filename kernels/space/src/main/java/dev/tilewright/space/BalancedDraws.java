package dev.tilewright.space;

import dev.tilewright.model.space.Config;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Configs drawn uniformly, without repeats, and balanced over the tile schedulers: the n-th draw takes the scheduler n
 * mod S of the S that the space lists, and draws uniformly from what that scheduler has left. Uniform draws over the
 * whole space would starve a scheduler with few configs ({@code single} has no grid sizes), and the schedulers are what
 * a study compares. A scheduler that is used up is passed over.
 *
 * <p>The n-th draw has a random stream of its own, made from the seed and n, so that the sequence does not depend on
 * how many are drawn at a time. What is left is counted exactly, so nothing is drawn in vain and the end is known.
 */
public final class BalancedDraws {

    private static final String BALANCED = "scheduler";

    private BalancedDraws() {}

    /** A part of the space, with the numbers of its configs that are drawn no more, in their order. */
    private record Stratum(SpaceTree configs, ArrayList<Long> taken) {

        static Stratum of(SpaceTree configs, Set<Config> known) {
            ArrayList<Long> taken = new ArrayList<>();
            for (Config config : known) {
                configs.number(config).ifPresent(taken::add);
            }
            Collections.sort(taken);
            return new Stratum(configs, taken);
        }

        /** One of all that are left, each as likely: the n-th that is not taken. */
        Optional<Config> draw(RandomGenerator random) {
            long left = configs.size() - taken.size();
            if (left == 0) {
                return Optional.empty();
            }
            long number = random.nextLong(left);
            int index = 0;
            while (index < taken.size() && taken.get(index) <= number) {
                number++;
                index++;
            }
            taken.add(index, number);
            return Optional.of(configs.config(number));
        }
    }

    /**
     * So many configs, or all that are left if they are fewer.
     *
     * @param known configs that are drawn no more
     * @param first the number of the first of these draws, from 0
     */
    public static List<Config> of(SpaceTree space, Set<Config> known, int first, int count, long seed) {
        List<Stratum> strata = space.parts(BALANCED).stream()
                .map(part -> Stratum.of(part, known))
                .toList();
        List<Config> drawn = new ArrayList<>();
        while (drawn.size() < count) {
            int number = first + drawn.size();
            RandomGenerator random = stream(seed, number);
            Optional<Config> next = IntStream.range(0, strata.size())
                    .mapToObj(i -> strata.get((number + i) % strata.size()).draw(random))
                    .flatMap(Optional::stream)
                    .findFirst();
            if (next.isEmpty()) {
                break;
            }
            drawn.add(next.get());
        }
        return drawn;
    }

    /**
     * The stream of one draw. Its seed is mixed twice: neighbouring seeds of this generator give streams that overlap.
     */
    private static RandomGenerator stream(long seed, int number) {
        return new SplittableRandom(new SplittableRandom(new SplittableRandom(seed).nextLong() + number).nextLong());
    }
}
