package dev.tilewright.api.search;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceWalk;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Configs drawn uniformly, without repeats, and balanced over the tile schedulers: the n-th ask takes the scheduler n
 * mod S of the S that the space lists, and draws uniformly from what that scheduler has left. Uniform draws over the
 * whole space would starve a scheduler with few configs ({@code single} has no grid sizes), and the schedulers are what
 * a study compares. A scheduler that is used up passes its turn on to the next.
 *
 * <p>The n-th ask has a random stream of its own, made from the seed and n, so that the sequence does not depend on how
 * many are asked at a time. A draw is a point of the space, rejected if it breaks a rule or is known. Where the points
 * that are left are rare, after {@value #MOST_DRAWS} draws or sixteen for each point of the space, the scheduler's part
 * of the space is walked once instead and one of what is left is chosen: so the end is found exactly.
 */
public final class RandomStrategy implements SearchStrategy {

    private static final String BALANCED = "scheduler";
    private static final int MOST_DRAWS = 100_000;
    private static final int DRAWS_PER_POINT = 16;

    @Override
    public String name() {
        return "random";
    }

    @Override
    public boolean learns() {
        return false;
    }

    @Override
    public List<Config> ask(SearchSpace space, History history, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1, got " + count);
        }
        List<SpaceWalk> strata = new SpaceWalk(space).cut(BALANCED);
        Set<Config> known = new HashSet<>(history.configs());
        List<Config> asks = new ArrayList<>();
        while (asks.size() < count) {
            int turn = history.asked().size() + asks.size();
            Optional<Config> next = next(strata, known, turn, stream(history.seed(), turn));
            if (next.isEmpty()) {
                break;
            }
            known.add(next.get());
            asks.add(next.get());
        }
        return asks;
    }

    /**
     * The stream of one ask. Its seed is mixed twice: neighbouring seeds of this generator give streams that overlap.
     */
    static RandomGenerator stream(long seed, int turn) {
        return new SplittableRandom(new SplittableRandom(new SplittableRandom(seed).nextLong() + turn).nextLong());
    }

    private static Optional<Config> next(List<SpaceWalk> strata, Set<Config> known, int turn, RandomGenerator random) {
        for (int i = 0; i < strata.size(); i++) {
            SpaceWalk stratum = strata.get((turn + i) % strata.size());
            Optional<Config> drawn = drawn(stratum, known, random).or(() -> chosen(stratum, known, random));
            if (drawn.isPresent()) {
                return drawn;
            }
        }
        return Optional.empty();
    }

    private static Optional<Config> drawn(SpaceWalk stratum, Set<Config> known, RandomGenerator random) {
        long points = stratum.points();
        long draws = points < MOST_DRAWS / DRAWS_PER_POINT ? points * DRAWS_PER_POINT : MOST_DRAWS;
        return stratum.draws(random, draws)
                .filter(config -> !known.contains(config))
                .findFirst();
    }

    /**
     * One of all that are left, each as likely, in one walk: the n-th that is met takes the place of the choice with
     * probability 1/n.
     */
    private static Optional<Config> chosen(SpaceWalk stratum, Set<Config> known, RandomGenerator random) {
        Config[] choice = new Config[1];
        int[] met = new int[1];
        stratum.configs().filter(config -> !known.contains(config)).forEach(config -> {
            met[0]++;
            if (random.nextInt(met[0]) == 0) {
                choice[0] = config;
            }
        });
        return Optional.ofNullable(choice[0]);
    }
}
