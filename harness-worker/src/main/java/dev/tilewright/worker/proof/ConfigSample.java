package dev.tilewright.worker.proof;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.SearchSpace;
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
 * Configs of a space, drawn without repeats and without walking the space: the same seed, the same configs. Draws are
 * uniform over the points and rejected if a rule is broken. Where that finds nothing for long, what keeps the rules is
 * rare, and the next config behind the drawn point is taken.
 */
public final class ConfigSample {

    private static final int DRAWS = 2_000;

    private ConfigSample() {}

    /** So many configs, or all that there are if they are fewer. */
    public static List<Config> of(SearchSpace space, int count, long seed) {
        RandomGenerator random = new SplittableRandom(new SplittableRandom(seed).nextLong());
        Set<Config> sample = new LinkedHashSet<>();
        while (sample.size() < count) {
            Optional<Config> next = drawn(space, random, sample).or(() -> behind(space, space.draw(random), sample));
            if (next.isEmpty()) {
                break;
            }
            sample.add(next.get());
        }
        return new ArrayList<>(sample);
    }

    private static Optional<Config> drawn(SearchSpace space, RandomGenerator random, Set<Config> known) {
        return Stream.generate(() -> space.draw(random))
                .limit(DRAWS)
                .filter(config -> space.violation(config).isEmpty())
                .filter(Predicate.not(known::contains))
                .findFirst();
    }

    private static Optional<Config> behind(SearchSpace space, Config point, Set<Config> known) {
        return Stream.concat(space.configsAfter(point), space.configs())
                .filter(Predicate.not(known::contains))
                .findFirst();
    }
}
