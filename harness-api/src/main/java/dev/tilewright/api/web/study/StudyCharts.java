package dev.tilewright.api.web.study;

import dev.tilewright.api.web.Figures;
import dev.tilewright.model.trial.Stage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The data of the charts of a study, a list for each thing: screens alone, because rates of other stages belong to
 * other clocks. Trials stand in the order in which they ended.
 *
 * @param numbers of each trial, in the order in which all ended
 * @param seconds since the study began
 * @param tflops of the screen of each
 * @param best so far
 * @param axes the parameters in which they differ
 * @param says each chart in one sentence, by its name
 */
record StudyCharts(
        boolean simulated,
        List<Integer> numbers,
        List<Double> seconds,
        List<Double> tflops,
        List<Double> best,
        List<Axis> axes,
        Map<String, String> says) {

    /**
     * A parameter.
     *
     * @param indices for each trial the index of its value among the values; -1 if it has none
     */
    record Axis(String name, List<String> values, List<Integer> indices) {}

    static StudyCharts of(TrialSample sample, @Nullable Instant startedAt, boolean simulated) {
        List<StudyTrial> timed = sample.trials().stream()
                .filter(trial -> trial.at(Stage.SCREEN).isPresent() && trial.finishedAt() != null)
                .sorted(Comparator.comparing(StudyTrial::finishedAt).thenComparingInt(StudyTrial::ordinal))
                .toList();
        List<Double> rates = new ArrayList<>();
        List<Double> best = new ArrayList<>();
        double top = 0;
        for (StudyTrial trial : timed) {
            double rate = trial.at(Stage.SCREEN).orElseThrow().tflops();
            top = Math.max(top, rate);
            rates.add(rounded(rate));
            best.add(rounded(top));
        }
        List<Double> seconds =
                timed.stream().map(trial -> seconds(startedAt, trial)).toList();
        List<Axis> axes = axes(timed);
        List<Integer> numbers =
                timed.stream().map(trial -> sample.numbers().get(trial.id())).toList();
        return new StudyCharts(
                simulated, numbers, seconds, rates, best, axes, says(simulated, sample, numbers, seconds, rates, axes));
    }

    private static Map<String, String> says(
            boolean simulated,
            TrialSample sample,
            List<Integer> numbers,
            List<Double> seconds,
            List<Double> rates,
            List<Axis> axes) {
        if (rates.isEmpty()) {
            return Map.of();
        }
        double top = Collections.max(rates);
        int index = rates.indexOf(top);
        String shown = sample.says().isEmpty() ? "" : " " + sample.says();
        String best = Figures.tflops(top) + (simulated ? ", simulated" : "");
        return Map.of(
                "trials",
                "Of " + Figures.count(sample.all(), "trial") + " the first ran at " + Figures.tflops(rates.getFirst())
                        + ", the best, number " + Figures.count(numbers.get(index)) + ", at " + best + "." + shown,
                "time",
                Figures.format(
                                "The best, %s, was found %.1f s after the study began; the last trial ended after %.1f s.",
                                best, seconds.get(index), seconds.getLast())
                        + shown,
                "parallel",
                Figures.count(rates.size(), "trial") + " from " + Figures.tflops(Collections.min(rates)) + " to " + best
                        + "; the best has "
                        + axes.stream()
                                .filter(axis -> axis.indices().get(index) >= 0)
                                .map(axis -> axis.name() + "="
                                        + axis.values().get(axis.indices().get(index)))
                                .collect(Collectors.joining(", "))
                        + "." + shown);
    }

    private static double seconds(@Nullable Instant startedAt, StudyTrial trial) {
        Instant end = trial.finishedAt();
        return startedAt == null || end == null
                ? 0
                : rounded(Duration.between(startedAt, end).toMillis() / 1e3);
    }

    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }

    private static List<Axis> axes(List<StudyTrial> timed) {
        TreeSet<String> names = new TreeSet<>();
        timed.forEach(trial -> names.addAll(trial.config().values().keySet()));
        List<Axis> axes = new ArrayList<>();
        for (String name : names) {
            List<String> values = timed.stream()
                    .filter(trial -> trial.config().has(name))
                    .map(trial -> trial.config().value(name).toString())
                    .distinct()
                    .sorted(ParameterEffects::compare)
                    .toList();
            if (values.size() > 1) {
                axes.add(new Axis(
                        name,
                        values,
                        timed.stream()
                                .map(trial -> trial.config().has(name)
                                        ? values.indexOf(
                                                trial.config().value(name).toString())
                                        : -1)
                                .toList()));
            }
        }
        return axes;
    }
}
