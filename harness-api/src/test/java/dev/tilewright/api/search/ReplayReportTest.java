package dev.tilewright.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.simulator.sweep.StoredSweep;
import dev.tilewright.simulator.sweep.SweepFile;
import dev.tilewright.testing.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** How fast strategies find the best of the stored sweeps; with the tag {@code full} it is written. */
class ReplayReportTest {

    private static final Path FOLDER = Path.of("../docs/results/h200");
    private static final List<Integer> TRIALS = List.of(1, 4, 8, 16, 32, 64);
    private static final List<SearchStrategy> STRATEGIES = List.of(new RandomStrategy(), new ModelStrategy());
    private static final int SEEDS = 4;
    /** Of the anchored sweeps the short ones hold what a search asked for; those of random configs are longer. */
    private static final int RANDOM_ONES = 100;

    /**
     * A strategy on a shape.
     *
     * @param mean share of the best speed held after each number of {@link #TRIALS}, over the seeds
     * @param worst of the seeds, likewise
     */
    record Curve(String shape, int configs, String strategy, List<Double> mean, List<Double> worst) {}

    /** All curves. */
    record Report(String commit, int seeds, List<Integer> trials, List<Curve> curves) {}

    private static Curve curve(StoredSweep sweep, SearchStrategy strategy, int seeds) {
        Replay replay = new Replay(sweep);
        List<double[]> runs = LongStream.rangeClosed(1, seeds)
                .mapToObj(seed -> replay.held(strategy, seed, TRIALS.getLast()))
                .toList();
        return new Curve(
                sweep.shape().toString(),
                replay.configs(),
                strategy.name(),
                TRIALS.stream()
                        .map(trials -> runs.stream()
                                .mapToDouble(run -> run[trials - 1])
                                .average()
                                .orElseThrow())
                        .toList(),
                TRIALS.stream()
                        .map(trials -> runs.stream()
                                .mapToDouble(run -> run[trials - 1])
                                .min()
                                .orElseThrow())
                        .toList());
    }

    @Test
    @Tag("full")
    void write() throws IOException {
        List<StoredSweep> sweeps = new ArrayList<>(SweepFile.readAll(FOLDER.resolve("sweeps")));
        SweepFile.readAll(FOLDER.resolve("anchored")).stream()
                .filter(sweep -> sweep.rows().size() >= RANDOM_ONES)
                .forEach(sweeps::add);
        List<Curve> curves = sweeps.stream()
                .flatMap(sweep -> STRATEGIES.stream().map(strategy -> curve(sweep, strategy, SEEDS)))
                .toList();
        Report report = new Report(System.getProperty("tilewright.commit", "unknown"), SEEDS, TRIALS, curves);
        Files.writeString(
                ResultFile.of(FOLDER.resolve("search-replay.json")),
                JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(report) + "\n");
        Files.writeString(ResultFile.of(FOLDER.resolve("search-replay.md")), markdown(report));
        assertThat(curves).hasSize(2 * sweeps.size());
    }

    private static String markdown(Report report) {
        StringBuilder text = new StringBuilder("""
                # Search strategies on stored sweeps

                Written by `ReplayReportTest`: each strategy asks for configs of a stored sweep, 8 at a time, and is told what the sweep has. The model's constants were fitted to these sweeps; `../simulator/h200-cost-model.md` leaves each shape out. Shares of the speed of the best config of the
                sweep that the best one asked so far holds: mean over the seeds, and the worst seed in brackets.

                """);
        text.append("Commit ")
                .append(report.commit())
                .append(", ")
                .append(report.seeds())
                .append(" seeds.\n\n");
        text.append("| shape | configs | strategy |");
        report.trials().forEach(trials -> text.append(' ').append(trials).append(" |"));
        text.append("\n| --- | --- | --- |")
                .append(" --- |".repeat(report.trials().size()))
                .append('\n');
        Map<String, double[]> sums = new LinkedHashMap<>();
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Curve curve : report.curves()) {
            text.append(
                    String.format(Locale.ROOT, "| %s | %d | %s |", curve.shape(), curve.configs(), curve.strategy()));
            double[] sum = sums.computeIfAbsent(
                    curve.strategy(), name -> new double[report.trials().size()]);
            counts.merge(curve.strategy(), 1, Integer::sum);
            for (int i = 0; i < sum.length; i++) {
                text.append(String.format(
                        Locale.ROOT,
                        " %.1f (%.1f) |",
                        100 * curve.mean().get(i),
                        100 * curve.worst().get(i)));
                sum[i] += curve.mean().get(i);
            }
            text.append('\n');
        }
        sums.forEach((strategy, sum) -> {
            text.append("| **all** | | **").append(strategy).append("** |");
            Arrays.stream(sum)
                    .forEach(value ->
                            text.append(String.format(Locale.ROOT, " **%.1f** |", 100 * value / counts.get(strategy))));
            text.append('\n');
        });
        return text.toString();
    }

    @Test
    void theModelFindsTheBestOfAStoredSweepSoonerThanChance() throws IOException {
        StoredSweep sweep = SweepFile.read(FOLDER.resolve("sweeps/4096x4096x4096.columns"));
        Curve model = curve(sweep, new ModelStrategy(), 3);
        assertThat(model.worst().get(TRIALS.indexOf(16))).isGreaterThanOrEqualTo(0.96);
        assertThat(model.worst().get(TRIALS.indexOf(64))).isGreaterThanOrEqualTo(0.99);
        Curve random = curve(sweep, new RandomStrategy(), 3);
        assertThat(model.mean().get(TRIALS.indexOf(8)))
                .isGreaterThan(random.mean().get(TRIALS.indexOf(8)));
    }
}
