package dev.tilewright.api.web.study;

import dev.tilewright.api.web.Figures;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Stage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The data of the charts of a study, a list for each thing: screens alone, because rates of other stages belong to
 * other clocks. Trials stand in the order in which they ended.
 *
 * @param numbers of each trial, in the order in which all ended
 * @param configs of each trial in short
 * @param tflops of the screen of each
 * @param best so far
 * @param low where the axis of rates begins: most trials are above it
 * @param axes the parameters that matter most, at most {@link #MOST_AXES}; a parameter with one value is none
 * @param says each chart in words, by its name
 */
record StudyCharts(
        boolean simulated,
        List<Integer> numbers,
        List<String> configs,
        List<Double> tflops,
        List<Double> best,
        double low,
        List<Axis> axes,
        Map<String, String> says) {

    /** More axes do not fit a window of 1280 pixels with their names and values. */
    private static final int MOST_AXES = 9;

    /**
     * A parameter.
     *
     * @param indices for each trial the index of its value among the values; -1 if it has none
     */
    record Axis(String name, List<String> values, List<Integer> indices) {

        private static Axis of(ParameterEffects.Effect effect, List<StudyTrial> timed) {
            String name = effect.parameter();
            List<String> values =
                    effect.values().stream().map(ParameterEffects.Value::value).toList();
            return new Axis(
                    name,
                    values,
                    timed.stream()
                            .map(trial -> trial.config().has(name)
                                    ? values.indexOf(trial.config().value(name).toString())
                                    : -1)
                            .toList());
        }
    }

    /** @param brief writes a config in short */
    static StudyCharts of(
            TrialSample sample, @Nullable Instant startedAt, boolean simulated, Function<Config, String> brief) {
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
        List<ParameterEffects.Effect> effects = ParameterEffects.of(timed);
        StudyCharts charts = new StudyCharts(
                simulated,
                timed.stream().map(trial -> sample.numbers().get(trial.id())).toList(),
                timed.stream().map(trial -> brief.apply(trial.config())).toList(),
                rates,
                best,
                rates.isEmpty() ? 0 : low(rates),
                effects.stream()
                        .limit(MOST_AXES)
                        .map(effect -> Axis.of(effect, timed))
                        .toList(),
                Map.of());
        return rates.isEmpty() ? charts : charts.saying(sample, startedAt, timed, effects.size());
    }

    /** Three quarters of the trials are above it, and 90 % of the best. */
    private static double low(List<Double> rates) {
        List<Double> sorted = rates.stream().sorted().toList();
        double quarter = sorted.get(sorted.size() / 4);
        return Math.floor(Math.max(sorted.getFirst(), Math.min(quarter, 0.9 * sorted.getLast())) / 10) * 10;
    }

    private StudyCharts saying(
            TrialSample sample, @Nullable Instant startedAt, List<StudyTrial> timed, int parameters) {
        double top = Collections.max(tflops);
        int index = tflops.indexOf(top);
        String shown = sample.says().isEmpty() ? "" : " " + sample.says();
        String fastest = Figures.tflops(top) + (simulated ? ", simulated" : "");
        long below = tflops.stream().filter(rate -> rate < low).count();
        String trials = "Of " + Figures.count(sample.all(), "trial") + " the first ran at "
                + Figures.tflops(tflops.getFirst()) + ", the best, number " + Figures.count(numbers.get(index))
                + ", at " + fastest
                + Figures.format(
                        ", %.1f s after the study began; the last trial ended after %.1f s.",
                        seconds(startedAt, timed.get(index)), seconds(startedAt, timed.getLast()))
                + (below == 0 ? "" : " Below the axis: " + Figures.count(below, "trial") + ".") + shown;
        String parallel = Figures.count(tflops.size(), "trial") + " from " + Figures.tflops(Collections.min(tflops))
                + " to " + fastest + "; the best has "
                + axes.stream()
                        .filter(axis -> axis.indices().get(index) >= 0)
                        .map(axis -> axis.name() + "="
                                + axis.values().get(axis.indices().get(index)))
                        .collect(Collectors.joining(", "))
                + "."
                + (parameters > axes.size()
                        ? " Axes are the " + axes.size() + " parameters that matter most, of " + parameters
                                + " in which trials differ."
                        : "")
                + shown;
        return new StudyCharts(
                simulated, numbers, configs, tflops, best, low, axes, Map.of("trials", trials, "parallel", parallel));
    }

    private static double seconds(@Nullable Instant startedAt, StudyTrial trial) {
        Instant end = trial.finishedAt();
        return startedAt == null || end == null
                ? 0
                : Duration.between(startedAt, end).toMillis() / 1e3;
    }

    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
