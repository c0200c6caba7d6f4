package dev.tilewright.api.search;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.simulator.sweep.StoredSweep;
import dev.tilewright.simulator.sweep.SweepRow;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Runs a search strategy on a stored sweep in place of a GPU: the space is what the sweep has, a trial is a look into
 * it.
 */
final class Replay {

    /** How many are asked at a time, as a study with one device asks. */
    private static final int BATCH = 8;

    private final StoredSweep sweep;
    private final Problem problem;
    private final SpaceTree space;
    private final Knowledge knowledge;
    private final Map<Config, SweepRow> rows = new HashMap<>();
    private final Map<Config, Double> times = new HashMap<>();
    private final double least;

    Replay(StoredSweep sweep) {
        this.sweep = sweep;
        this.problem = Problem.of(sweep.shape(), sweep.dtype());
        this.space = SpaceTree.of(space(sweep));
        this.knowledge = Spaces.hopper(problem);
        sweep.rows().forEach(row -> rows.put(row.config(), row));
        sweep.timed().forEach(timed -> times.put(timed.config(), timed.ns()));
        this.least = times.values().stream()
                .mapToDouble(ns -> ns)
                .min()
                .orElseThrow(() -> new IllegalArgumentException("no config of " + sweep.shape() + " has a time"));
    }

    /**
     * What the best config among the first n trials holds of the speed of the best of the sweep, for n from 1; 0 until
     * one has a time.
     */
    double[] held(SearchStrategy strategy, long seed, int trials) {
        double[] held = new double[trials];
        History history = History.empty(problem, seed);
        double best = 0;
        int trial = 0;
        while (trial < trials) {
            List<Config> asks = strategy.ask(
                            new SearchQuestion(space, knowledge, history, Math.min(BATCH, trials - trial)))
                    .configs();
            if (asks.isEmpty()) {
                break;
            }
            List<History.Asked> longer = new ArrayList<>(history.asked());
            for (Config config : asks) {
                longer.add(asked(config));
                best = Math.max(best, least / times.getOrDefault(config, Double.POSITIVE_INFINITY));
                held[trial++] = best;
            }
            history = history.with(longer);
        }
        for (; trial < trials; trial++) {
            held[trial] = best;
        }
        return held;
    }

    private History.Asked asked(Config config) {
        SweepRow row = rows.get(config);
        if (row == null) {
            throw new IllegalStateException("the sweep does not have what was asked: " + config);
        }
        Double ns = times.get(config);
        return new History.Asked(config, row.outcome(), ns == null ? null : problem.tflops(ns));
    }

    /** Configs in the sweep. */
    int configs() {
        return rows.size();
    }

    /**
     * The space whose configs are those of the sweep. Its rules cut a walk off at the first value that no stored config
     * goes on with.
     */
    private static SearchSpace space(StoredSweep sweep) {
        TreeMap<String, Set<ParameterValue>> values = new TreeMap<>();
        for (SweepRow row : sweep.rows()) {
            row.config()
                    .values()
                    .forEach((name, value) ->
                            values.computeIfAbsent(name, key -> new HashSet<>()).add(value));
        }
        List<Parameter> parameters = new ArrayList<>();
        values.forEach((name, known) -> parameters.add(new Parameter(
                name,
                Parameter.Kind.TEXT,
                known.stream()
                        .sorted((a, b) -> a.toString().compareTo(b.toString()))
                        .toList())));
        List<String> names = List.copyOf(values.keySet());
        List<Constraint> rules = new ArrayList<>();
        for (int length = 1; length <= names.size(); length++) {
            List<String> prefix = names.subList(0, length);
            Set<String> stored = sweep.rows().stream()
                    .map(row -> row.config().only(prefix).canonical())
                    .collect(Collectors.toCollection(TreeSet::new));
            rules.add(new Constraint(
                    "stored" + length,
                    prefix,
                    config -> stored.contains(config.canonical()) ? Optional.empty() : Optional.of("not stored")));
        }
        return new SearchSpace(sweep.family(), parameters, rules);
    }
}
