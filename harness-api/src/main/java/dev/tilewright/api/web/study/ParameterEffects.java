package dev.tilewright.api.web.study;

import dev.tilewright.api.web.Figures;
import dev.tilewright.gate.statistics.Quantiles;
import dev.tilewright.model.trial.Stage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The best and the typical screen of a study for each value of each parameter. */
final class ParameterEffects {

    private ParameterEffects() {}

    /**
     * A parameter.
     *
     * @param worth by which part the best value is faster than the worst, each with its best trial
     */
    record Effect(String parameter, double worth, List<Value> values) {

        public String worthSaid() {
            return Figures.percent(worth);
        }

        /** All of it in one sentence. */
        public String says() {
            Comparator<Value> slowestFirst = Comparator.comparingDouble(Value::best);
            return "Effect of " + parameter + ": the best trial has "
                    + Collections.max(values, slowestFirst).value() + " and is " + worthSaid()
                    + " faster than the best with "
                    + Collections.min(values, slowestFirst).value() + ".";
        }
    }

    /**
     * A value of it.
     *
     * @param best rate over the best of the study, from 0 to 1, as is the median
     */
    record Value(String value, int trials, double best, double median) {

        public String bestSaid() {
            return Figures.percent(best);
        }

        public String medianSaid() {
            return Figures.percent(median);
        }
    }

    /** Parameters that were tried with two values at the least, those that matter most first. */
    static List<Effect> of(List<StudyTrial> trials) {
        List<StudyTrial> timed = trials.stream()
                .filter(trial -> trial.at(Stage.SCREEN).isPresent())
                .toList();
        double best = timed.stream().mapToDouble(ParameterEffects::rate).max().orElse(1);
        TreeSet<String> names = new TreeSet<>();
        timed.forEach(trial -> names.addAll(trial.config().values().keySet()));
        List<Effect> effects = new ArrayList<>();
        for (String name : names) {
            Map<String, List<Double>> rates = new TreeMap<>(ParameterEffects::compare);
            timed.stream()
                    .filter(trial -> trial.config().has(name))
                    .forEach(trial -> rates.computeIfAbsent(
                                    trial.config().value(name).toString(), _ -> new ArrayList<>())
                            .add(rate(trial) / best));
            if (rates.size() > 1) {
                effects.add(effect(name, rates));
            }
        }
        effects.sort(Comparator.comparingDouble(Effect::worth).reversed());
        return effects;
    }

    private static Effect effect(String name, Map<String, List<Double>> rates) {
        Map<String, Value> values = new LinkedHashMap<>();
        rates.forEach((value, all) -> values.put(value, value(value, all)));
        double top = values.values().stream().mapToDouble(Value::best).max().orElseThrow();
        double least = values.values().stream().mapToDouble(Value::best).min().orElseThrow();
        return new Effect(name, top / least - 1, List.copyOf(values.values()));
    }

    private static Value value(String value, List<Double> all) {
        double[] shares = all.stream().mapToDouble(Double::doubleValue).toArray();
        return new Value(value, shares.length, Arrays.stream(shares).max().orElseThrow(), Quantiles.median(shares));
    }

    /** Numbers by their size, names by the alphabet. */
    static int compare(String one, String other) {
        boolean numbers = one.matches("\\d{1,18}") && other.matches("\\d{1,18}");
        return numbers ? Long.compare(Long.parseLong(one), Long.parseLong(other)) : one.compareTo(other);
    }

    private static double rate(StudyTrial trial) {
        return trial.at(Stage.SCREEN).orElseThrow().tflops();
    }
}
