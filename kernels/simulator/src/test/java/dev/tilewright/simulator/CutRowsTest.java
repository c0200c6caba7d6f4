package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.results.ColumnFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Rows of A and B that begin inside a sector of L2, held against the stored studies of shapes whose K is no multiple of
 * 16: CTAs alone, which read every row for themselves, against clusters, which share them.
 */
class CutRowsTest {

    private static final Path STUDIES = Path.of("../../docs/results/h200");
    private static final int SECTOR_ELEMENTS = 16;
    /** Smaller tiles are bound by what a launch costs, or by the sums of pieces. */
    private static final int LEAST_TILE = 128 * 128;

    /** By how much the cycles of a screen are off what is predicted, as a logarithm. */
    private record Error(boolean alone, double logarithm) {}

    private record Screen(Config config, double cycles) {}

    @Test
    @Tag("full")
    void ctasAloneAreAsFarOffAsClusters() throws IOException {
        Map<ProblemShape, List<Screen>> screens = screens();
        Map<ProblemShape, Double> gaps = gaps(screens, SimulatedGpus.H200);
        assertThat(gaps).hasSizeGreaterThanOrEqualTo(5);
        assertThat(gaps.values()).allSatisfy(gap -> assertThat(gap).isBetween(-0.15, 0.15));
        assertThat(mean(gaps)).isCloseTo(0, within(0.05));
        assertThat(mean(gaps(screens, FreeConstants.withCutRowReads(SimulatedGpus.H200, 1))))
                .as("were such rows read as others are")
                .isGreaterThan(0.15);
    }

    private static double mean(Map<ProblemShape, Double> gaps) {
        return gaps.values().stream().mapToDouble(gap -> gap).average().orElseThrow();
    }

    /** Of each shape with enough of both kinds: the median error of CTAs alone, less that of clusters. */
    private static Map<ProblemShape, Double> gaps(Map<ProblemShape, List<Screen>> screens, GpuConstants gpu) {
        CostModel model = CostModel.of(gpu);
        Map<ProblemShape, Double> gaps = new HashMap<>();
        screens.forEach((shape, ofShape) -> {
            Problem problem = Problem.of(shape, DataType.BF16);
            Map<Boolean, double[]> errors = ofShape.stream()
                    .map(screen -> error(model, problem, screen))
                    .collect(Collectors.partitioningBy(
                            Error::alone,
                            Collectors.collectingAndThen(
                                    Collectors.toList(),
                                    all -> all.stream()
                                            .mapToDouble(Error::logarithm)
                                            .sorted()
                                            .toArray())));
            if (errors.get(true).length >= 3 && errors.get(false).length >= 3) {
                gaps.put(shape, median(errors.get(true)) - median(errors.get(false)));
            }
        });
        return gaps;
    }

    private static Error error(CostModel model, Problem problem, Screen screen) {
        CostModel.Cost predicted = model.screened(problem, screen.config());
        return new Error(
                screen.config().whole("clusterM") * screen.config().whole("clusterN") == 1,
                Math.log(screen.cycles() / (predicted.ns() * predicted.clockMhz())));
    }

    private static double median(double[] sorted) {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static Map<ProblemShape, List<Screen>> screens() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(STUDIES)) {
            files = all.filter(file -> file.toString().endsWith(ColumnFile.ENDING))
                    .toList();
        }
        Map<ProblemShape, List<Screen>> screens = new HashMap<>();
        for (Path file : files) {
            for (JsonNode study : ColumnFile.read(file).path("studies")) {
                JsonNode problem = study.path("problem");
                ProblemShape shape = new ProblemShape(
                        problem.path("m").asInt(),
                        problem.path("n").asInt(),
                        problem.path("k").asInt());
                if (problem.path("groups").size() == 1
                        && problem.path("batch").asInt() == 1
                        && problem.path("dtype").asString().equals("bf16")
                        && shape.k() % SECTOR_ELEMENTS != 0) {
                    screens.computeIfAbsent(shape, _ -> new ArrayList<>()).addAll(screens(study.path("trials")));
                }
            }
        }
        return screens;
    }

    private static List<Screen> screens(JsonNode trials) {
        List<Screen> screens = new ArrayList<>();
        for (JsonNode trial : trials) {
            Config config = config(trial.path("config"));
            JsonNode screen = trial.path("measurements").path(0);
            if (screen.path("stage").asString("").equals("screen")
                    && screen.path("smClockMhz").isNumber()
                    && config.whole("splitK") == 1
                    && SweepsOfToday.has(config)
                    && config.whole("tileM") * config.whole("tileN") >= LEAST_TILE) {
                screens.add(new Screen(
                        config,
                        screen.path("medianNs").asDouble()
                                * screen.path("smClockMhz").asDouble()));
            }
        }
        return screens;
    }

    private static Config config(JsonNode values) {
        return Config.parse(values.properties().stream()
                .map(value -> value.getKey() + "=" + value.getValue().asString())
                .collect(Collectors.joining(" ")));
    }
}
