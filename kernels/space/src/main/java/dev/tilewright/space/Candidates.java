package dev.tilewright.space;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Configs that are worth a look, with the logarithm of their predicted time: for every tile the best that was found.
 * How a tile fits the waves of a shape decides more than all else, and which of those that fit is best is what
 * measurements are for, so no tile may drop out because the model likes another a little better.
 *
 * <p>Several looks, each closer than the one before: one config of every tile under every tile scheduler; some configs
 * of each tile that may be worth it, and what differs from the best of them in one value; each tile with the other
 * values of the best few; what the second look was, of each variant of the better tiles; all configs of the tiles
 * nearest to the best. So a space of a million configs costs some thousand predictions.
 */
public final class Candidates {

    /** A space of no more configs is taken whole. */
    private static final int MAX_EXHAUSTIVE_CONFIGS = 1200;

    /** So much slower than the best a tile may be predicted, as a logarithm: the model errs by less. */
    private static final double WORTH_IT = 0.25;

    /** How many tiles get a second look, the fastest first. */
    private static final int SECOND_LOOKS = 128;

    private static final int CONFIGS_A_LOOK = 12;
    private static final int MOVES = 3;
    private static final String SCHEDULER = "scheduler";

    /** So many of the fastest tiles have configs that so many other tiles are looked at with. */
    private static final int PATTERNS = 2;

    private static final int TILES_LIKE_THEM = 512;

    /** How many tiles get a third look, and the limit of configs for each. */
    private static final int THIRD_LOOKS = 8;

    private static final int CONFIGS_OF_A_TILE = 300;

    /** How many tiles get a look at each of their variants. */
    private static final int VARIANT_LOOKS = 24;

    private static final int KEPT_A_TILE = 6;
    private static final int KEPT_A_VARIANT = 4;

    private static final Comparator<Map.Entry<Config, Double>> FASTEST_FIRST =
            Map.Entry.<Config, Double>comparingByValue()
                    .thenComparing(candidate -> candidate.getKey().canonical());

    private final SpaceTree space;
    private final List<String> tile;
    private final List<String> variant;
    private final ToDoubleFunction<Config> logTime;
    /** A look at one tile asks for nothing of another, so that several cores look at a time. */
    private final Map<Config, Double> times = new ConcurrentHashMap<>();

    private Candidates(SpaceTree space, List<String> tile, List<String> variants, ToDoubleFunction<Config> logTime) {
        this.space = space;
        this.logTime = logTime;
        this.tile = named(tile.stream());
        this.variant = named(Stream.concat(tile.stream(), variants.stream()));
    }

    /** The names that are parameters of the space. */
    private List<String> named(Stream<String> names) {
        return names.filter(name -> space.order().stream()
                        .anyMatch(parameter -> parameter.name().equals(name)))
                .toList();
    }

    /**
     * The candidates of a space, the fastest first; a config that {@code logTime} has no finite time for is none.
     *
     * @param tile the parameters that make a tile
     * @param variants parameters whose values the model cannot rank: the best of each value are candidates
     */
    public static Map<Config, Double> of(
            SpaceTree space, List<String> tile, List<String> variants, ToDoubleFunction<Config> logTime) {
        Candidates candidates = new Candidates(space, tile, variants, logTime);
        if (space.size() <= MAX_EXHAUSTIVE_CONFIGS) {
            space.configs().forEach(candidates::look);
            return candidates.best(candidates.tile, MAX_EXHAUSTIVE_CONFIGS, Double.POSITIVE_INFINITY);
        }
        space.representatives(candidates.named(Stream.concat(tile.stream(), Stream.of(SCHEDULER)))).parallelStream()
                .forEach(candidates::look);
        candidates.bestOfTiles(SECOND_LOOKS).parallelStream().forEach(candidates::lookAround);
        List<Config> patterns = candidates.bestOfTiles(PATTERNS);
        candidates.bestOfTiles(TILES_LIKE_THEM).parallelStream().forEach(one -> candidates.lookLike(patterns, one));
        candidates.bestOfTiles(VARIANT_LOOKS).parallelStream().forEach(candidates::lookAtVariants);
        candidates.bestOfTiles(THIRD_LOOKS).parallelStream().forEach(candidates::lookAtAll);
        return candidates.best(candidates.variant, variants.isEmpty() ? KEPT_A_TILE : KEPT_A_VARIANT, WORTH_IT);
    }

    private void look(Config config) {
        times.computeIfAbsent(config, logTime::applyAsDouble);
    }

    /** Evenly over the configs of a tile, then from the best of them on to better neighbours. */
    private void lookAround(Config config) {
        climb(alike(tile, config), List.of(config));
    }

    /** With all but the tile as others have it: the first look may have been at values that suit the tile badly. */
    private void lookLike(List<Config> patterns, Config config) {
        SpaceTree alike = alike(tile, config);
        for (Config pattern : patterns) {
            Config wish = pattern;
            for (String name : tile) {
                wish = wish.with(name, config.value(name));
            }
            alike.nearest(wish).ifPresent(this::look);
        }
    }

    /** The same among the configs of each variant of the tile. */
    private void lookAtVariants(Config config) {
        if (variant.equals(tile)) {
            return;
        }
        SpaceTree all = alike(tile, config);
        all.representatives(variant).forEach(other -> climb(alike(variant, other), List.of(other)));
    }

    private void climb(SpaceTree alike, List<Config> from) {
        Config best = fastest(Stream.concat(from.stream(), evenly(alike, CONFIGS_A_LOOK).stream()));
        for (int move = 0; move < MOVES; move++) {
            Config next = fastest(Stream.concat(Stream.of(best), alike.neighbours(best).stream()));
            if (next.equals(best)) {
                break;
            }
            best = next;
        }
    }

    private Config fastest(Stream<Config> configs) {
        return configs.peek(this::look)
                .min(Comparator.<Config>comparingDouble(times::get).thenComparing(Config::canonical))
                .orElseThrow();
    }

    private void lookAtAll(Config config) {
        evenly(alike(tile, config), CONFIGS_OF_A_TILE).forEach(this::look);
    }

    /** The configs with the same values of some parameters. */
    private SpaceTree alike(List<String> parameters, Config config) {
        Map<String, List<ParameterValue>> same = new HashMap<>();
        parameters.forEach(name -> same.put(name, List.of(config.value(name))));
        return space.only(same);
    }

    private static List<Config> evenly(SpaceTree configs, int count) {
        long size = configs.size();
        return size <= count
                ? configs.configs().toList()
                : LongStream.range(0, count)
                        .mapToObj(each -> configs.config(each * (size - 1) / (count - 1)))
                        .toList();
    }

    /** The fastest of so many tiles, the fastest first. */
    private List<Config> bestOfTiles(int tiles) {
        return best(tile, 1, WORTH_IT).keySet().stream().limit(tiles).toList();
    }

    /** The fastest few of all that have the same values of some parameters, if worth it; the fastest first. */
    private Map<Config, Double> best(List<String> parameters, int few, double worthIt) {
        double slowest = times.values().stream().mapToDouble(time -> time).min().orElse(0) + worthIt;
        Map<Tile, Integer> taken = new HashMap<>();
        Map<Config, Double> best = new LinkedHashMap<>();
        times.entrySet().stream()
                .filter(candidate -> Double.isFinite(candidate.getValue()) && candidate.getValue() <= slowest)
                .sorted(FASTEST_FIRST)
                .filter(candidate -> taken.merge(Tile.of(parameters, candidate.getKey()), 1, Integer::sum) <= few)
                .forEach(candidate -> best.put(candidate.getKey(), candidate.getValue()));
        return best;
    }

    /** The configs of the space that differ from one of these configs in one value. */
    public static Collection<Config> around(SpaceTree space, List<Config> configs) {
        List<Config> around = new ArrayList<>();
        configs.stream().filter(space::contains).forEach(config -> around.addAll(space.neighbours(config)));
        return around;
    }
}
