package dev.tilewright.api.range;

import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.range.Regret;
import dev.tilewright.model.range.Reign;
import dev.tilewright.model.range.Reigns;
import dev.tilewright.model.range.RowSamples;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.Tile;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The measurements of each phase of a range of M, and its table: pure functions of what was measured before.
 *
 * @param family whose kernels they are
 * @param limits of the device that times them
 * @param most kernels of the table at the most
 */
record RangePlan(RangedProblem ranged, FamilySpace family, DeviceLimits limits, int most) {

    /** So many M are searched: of 1 to 16384 each is a third larger than the one before, and other tiles fit it. */
    private static final int SEARCHES = 32;

    /** At so many M the finds of all searches are timed, so many of them at each. */
    private static final int FINDS = 40;

    private static final int TIMED = 24;

    /** For each kernel of the table so many are chosen to be timed at many M. */
    private static final int CHOSEN = 3;

    private static final int CROSSINGS = 64;

    /** A chosen kernel that is expected to take so many times as long as the fastest is not timed. */
    private static final double HOPELESS = 1.5;

    /** At so many drawn M the table is checked, beside so many others. */
    private static final int CHECKS = 16;

    private static final int BESIDE = 15;

    /** Kernels of one tile at the most among those that are timed at an M: they differ in details. */
    private static final int OF_A_TILE = 3;

    /** So many times longer a kernel takes, for the choice, where its config breaks a rule. */
    private static final double REFUSED = 1000;

    /** Kernels to time at an M. */
    record Timing(int m, List<Config> configs) {}

    /** Values of M that are searched first. */
    static int[] searched(RangedProblem ranged) {
        return RowSamples.even(ranged.range().least(), ranged.range().most(), SEARCHES);
    }

    /**
     * The space of the least M. Spaces of few rows may have a parameter that others lack, with a value that stands for
     * a config without it: a config that is completed here has one name at every M.
     */
    SearchSpace naming() {
        return family.space(ranged.least(), limits);
    }

    /** Of what the searches found the kernels that promise most, at more M. */
    List<Timing> finds(RangeTimes times) {
        Map<Config, IntToDoubleFunction> functions = functions(times);
        return Arrays.stream(even(FINDS))
                .mapToObj(m -> new Timing(m, promising(functions, m, TIMED)))
                .toList();
    }

    /** The few kernels that may be in the table, at many M. */
    List<Timing> crossings(RangeTimes times) {
        List<Config> known = List.copyOf(times.configs());
        RulesByRows rules = new RulesByRows(ranged, family, limits, samples());
        List<IntToDoubleFunction> functions = functions(known, times, rules);
        List<Integer> chosen = choice(functions).of(CHOSEN * most).stream()
                .map(Reign::kernel)
                .distinct()
                .toList();
        List<Timing> timings = new ArrayList<>();
        for (int m : even(CROSSINGS)) {
            double fastest = chosen.stream()
                    .mapToDouble(kernel -> functions.get(kernel).applyAsDouble(m))
                    .min()
                    .orElseThrow();
            timings.add(new Timing(
                    m,
                    chosen.stream()
                            .filter(kernel -> functions.get(kernel).applyAsDouble(m) <= HOPELESS * fastest)
                            .map(known::get)
                            .toList()));
        }
        return timings;
    }

    private int[] even(int count) {
        return RowSamples.even(ranged.range().least(), ranged.range().most(), count);
    }

    private Reigns choice(List<IntToDoubleFunction> functions) {
        return Reigns.among(functions, samples());
    }

    private int[] samples() {
        return RowSamples.near(ranged.range().least(), ranged.range().most());
    }

    /** The times of kernels; where a config breaks a rule of the space, so much that nobody takes it there. */
    private static List<IntToDoubleFunction> functions(List<Config> configs, RangeTimes times, RulesByRows rules) {
        return configs.stream()
                .map(config -> {
                    IntToDoubleFunction time = times.of(config);
                    IntToDoubleFunction whereItMay =
                            m -> (rules.broken(config, m).isEmpty() ? 1 : REFUSED) * time.applyAsDouble(m);
                    return whereItMay;
                })
                .toList();
    }

    /**
     * The table, not yet checked.
     *
     * @param chosen the kernels that were timed at many M
     * @param measuredAt values of M that have taken part so far
     * @throws NoTableException if none of them may be launched with some M
     */
    RangeDocument.Table table(RangeTimes times, List<Config> chosen, int[] measuredAt, long seed) {
        RulesByRows rules = new RulesByRows(ranged, family, limits, samples());
        List<IntToDoubleFunction> functions = functions(chosen, times, rules);
        Reigns.Choice table = choice(functions).table(most);
        List<Reign> reigns = table.reigns();
        reigns.forEach(reign -> requireLaunchable(reign, chosen.get(reign.kernel()), rules));
        int least = ranged.range().least();
        int[] drawn = RowSamples.drawn(least, ranged.range().most(), CHECKS, seed, measuredAt);
        int[] checked = drawn.length > 0 ? drawn : measuredAt;
        return new RangeDocument.Table(
                times.configs().size(),
                reigns.stream().map(reign -> span(chosen, functions, reign)).toList(),
                Arrays.stream(checked).boxed().toList(),
                drawn.length > 0,
                seed,
                BESIDE,
                null,
                table.lost());
    }

    private void requireLaunchable(Reign reign, Config config, RulesByRows rules) {
        IntStream.concat(IntStream.of(reign.from(), reign.to()), Arrays.stream(samples()))
                .filter(m -> m >= reign.from() && m <= reign.to())
                .forEach(m -> rules.broken(config, m).ifPresent(violation -> {
                    throw new NoTableException(
                            "no kernel that was timed may be launched with M = " + m + ": " + violation);
                }));
    }

    private static Span span(List<Config> configs, List<IntToDoubleFunction> functions, Reign reign) {
        IntToDoubleFunction time = functions.get(reign.kernel());
        return new Span(
                reign.from(),
                reign.to(),
                configs.get(reign.kernel()),
                time.applyAsDouble(reign.from()),
                time.applyAsDouble(reign.to()));
    }

    /** The kernel of the table and the most promising others, at each M of the check. */
    List<Timing> checks(RangeTimes times, RangeDocument.Table table) {
        Map<Config, IntToDoubleFunction> functions = functions(times);
        List<Timing> timings = new ArrayList<>();
        for (int m : table.checkedAt()) {
            Config own = at(table, m).config();
            List<Config> configs = new ArrayList<>(List.of(own));
            promising(functions, m, BESIDE + 1).stream()
                    .filter(config -> !config.equals(own))
                    .limit(BESIDE)
                    .forEach(configs::add);
            timings.add(new Timing(m, configs));
        }
        return timings;
    }

    /**
     * The regret of a table; empty if its kernels completed at no M of the check.
     *
     * @throws NoTableException if a kernel of the table is wrong at an M of the check
     */
    static Optional<Regret> regret(RangeDocument.Table table, List<MeasuredRows> checks) {
        List<Regret.Check> done = new ArrayList<>();
        for (MeasuredRows check : checks) {
            Span own = at(table, check.m());
            TrialOutcome wrong = check.wrong().get(own.config());
            if (wrong != null) {
                throw new NoTableException("the kernel for M = " + own.from() + " to " + own.to()
                        + " failed its check with M = " + check.m() + ": " + wrong);
            }
            Double us = check.us().get(own.config());
            if (us != null) {
                double fastest = check.us().values().stream()
                        .min(Comparator.naturalOrder())
                        .orElseThrow();
                done.add(new Regret.Check(check.m(), us, fastest));
            }
        }
        return done.isEmpty() ? Optional.empty() : Optional.of(Regret.of(done));
    }

    private static Span at(RangeDocument.Table table, int m) {
        return table.kernels().stream()
                .filter(span -> m >= span.from() && m <= span.to())
                .findFirst()
                .orElseThrow();
    }

    private static Map<Config, IntToDoubleFunction> functions(RangeTimes times) {
        Map<Config, IntToDoubleFunction> functions = new LinkedHashMap<>();
        times.configs().forEach(config -> functions.put(config, times.of(config)));
        return functions;
    }

    /** The configs of the space that are expected to be fastest at an M, few of a tile. */
    private List<Config> promising(Map<Config, IntToDoubleFunction> functions, int m, int most) {
        SearchSpace space = family.kernels(ranged.at(m), limits);
        Map<Tile, Integer> ofTile = new HashMap<>();
        record Expected(Config config, double us) {}
        return functions.entrySet().stream()
                .map(entry -> new Expected(entry.getKey(), entry.getValue().applyAsDouble(m)))
                .sorted(Comparator.comparingDouble(Expected::us))
                .map(Expected::config)
                .filter(config -> space.broken(config).isEmpty())
                .filter(config -> ofTile.merge(Tile.of(family.tile(), config), 1, Integer::sum) <= OF_A_TILE)
                .limit(most)
                .toList();
    }
}
