package dev.tilewright.worker.proof;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceWalk;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Configs of a space, drawn without repeats and without walking the space: the same seed, the same configs. The tile
 * schedulers that the space lists take turns, for one with many configs would crowd out the others; a scheduler that is
 * used up passes its turn on. Draws are uniform over a scheduler's points and rejected if a rule is broken. Where that
 * finds nothing for long, what keeps the rules is rare, and the next config behind the drawn point is taken.
 */
public final class ConfigSample {

    private static final String BALANCED = "scheduler";
    private static final int DRAWS = 10_000;

    private ConfigSample() {}

    /** So many configs, or all that there are if they are fewer. */
    public static List<Config> of(SearchSpace space, int count, long seed) {
        RandomGenerator random = new SplittableRandom(new SplittableRandom(seed).nextLong());
        Set<Config> sample = new LinkedHashSet<>();
        List<SpaceWalk> strata = new ArrayList<>(new SpaceWalk(space).cut(BALANCED));
        int turn = 0;
        while (sample.size() < count && !strata.isEmpty()) {
            SpaceWalk stratum = strata.get(turn % strata.size());
            Optional<Config> next = drawn(stratum, random, sample).or(() -> behind(stratum, random, sample));
            if (next.isEmpty()) {
                strata.remove(turn % strata.size());
            } else {
                sample.add(next.get());
                turn++;
            }
        }
        return new ArrayList<>(sample);
    }

    private static Optional<Config> drawn(SpaceWalk space, RandomGenerator random, Set<Config> known) {
        return space.draws(random, DRAWS).filter(Predicate.not(known::contains)).findFirst();
    }

    /** The two walks one after the other: a stream of both would hold whole branches of the space at once. */
    private static Optional<Config> behind(SpaceWalk space, RandomGenerator random, Set<Config> known) {
        return first(space.configsAfterDraw(random), known).or(() -> first(space.configs(), known));
    }

    private static Optional<Config> first(Stream<Config> configs, Set<Config> known) {
        return configs.filter(Predicate.not(known::contains)).findFirst();
    }
}
