package dev.tilewright.api.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.api.search.Prediction;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.results.ColumnFile;
import dev.tilewright.simulator.LaunchModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What screens are compared by, and how well each scale foretells the races of the stored studies. */
class ScreenScaleTest {

    private static final Path STUDIES = Path.of("../docs/results/h200");
    /** Fewer contenders say little about a scale. */
    private static final int MIN_RACED = 8;

    /** A contender: its screen, and how long a launch took in the race. */
    private record Raced(Config config, ScreenScale.ScreenTime screen, double ns) {}

    private record Study(Problem problem, List<Raced> raced) {}

    @Test
    void theBestThatAllScreensHaveIsTaken() {
        ScreenScale.ScreenTime full = new ScreenScale.ScreenTime(2000, 1500.0, 1.25);
        ScreenScale.ScreenTime withoutClock = new ScreenScale.ScreenTime(2000, null, 1.25);
        ScreenScale.ScreenTime withoutAnchor = new ScreenScale.ScreenTime(2000, 1500.0, null);
        assertThat(ScreenScale.of(List.of(full, full))).isEqualTo(ScreenScale.CYCLES_AND_ANCHOR);
        assertThat(ScreenScale.of(List.of(full, withoutClock))).isEqualTo(ScreenScale.ANCHOR);
        assertThat(ScreenScale.of(List.of(full, withoutAnchor))).isEqualTo(ScreenScale.CYCLES);
        assertThat(ScreenScale.of(List.of(full, withoutClock, withoutAnchor))).isEqualTo(ScreenScale.TIME);
        assertThat(ScreenScale.CYCLES_AND_ANCHOR.time(full))
                .isCloseTo(Math.pow(3000, 0.75) * Math.pow(0.8, 0.25), within(1e-9));
        assertThat(ScreenScale.CYCLES.time(full)).isEqualTo(3000);
        assertThat(ScreenScale.ANCHOR.time(withoutClock)).isEqualTo(0.8);
        assertThat(ScreenScale.TIME.time(withoutAnchor)).isEqualTo(2000);
    }

    /** What remains of the differences in a race when those that its screens foretell are taken off. */
    @Test
    @Tag("full")
    void cyclesWithAPartOfTheRatioForetellARaceBest() throws IOException {
        List<Study> studies = studies();
        assertThat(studies).hasSizeGreaterThan(40);
        Map<ScreenScale, Double> unexplained = new EnumMap<>(ScreenScale.class);
        Stream.of(ScreenScale.values()).forEach(scale -> unexplained.put(scale, unexplained(studies, scale)));
        System.out.println(studies.size() + " races, unexplained: " + unexplained);
        double taken = unexplained.get(ScreenScale.CYCLES_AND_ANCHOR);
        assertThat(taken).isLessThan(0.015);
        assertThat(unexplained.get(ScreenScale.CYCLES)).isGreaterThan(0.98 * taken);
        assertThat(unexplained.get(ScreenScale.ANCHOR)).isGreaterThan(1.15 * taken);
        assertThat(unexplained.get(ScreenScale.TIME)).isGreaterThan(1.5 * taken);
    }

    /** Standard deviation of the logarithm, the mean over the studies. */
    private static double unexplained(List<Study> studies, ScreenScale scale) {
        return studies.stream()
                .mapToDouble(study -> {
                    Prediction prediction =
                            new Prediction(LaunchModels.ofDevice("h200").orElseThrow(), study.problem());
                    return deviation(study.raced().stream()
                            .mapToDouble(raced -> {
                                double time = scale.time(raced.screen());
                                return Math.log(raced.ns() / (time * prediction.settling(raced.config(), time)));
                            })
                            .toArray());
                })
                .average()
                .orElseThrow();
    }

    private static double deviation(double[] sample) {
        double mean = Arrays.stream(sample).average().orElseThrow();
        return Math.sqrt(Arrays.stream(sample).map(x -> (x - mean) * (x - mean)).sum() / sample.length);
    }

    private static List<Study> studies() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(STUDIES)) {
            files = all.filter(file -> file.toString().endsWith(ColumnFile.ENDING))
                    .toList();
        }
        List<Study> studies = new ArrayList<>();
        for (Path file : files) {
            for (JsonNode study : ColumnFile.read(file).path("studies")) {
                JsonNode problem = study.path("problem");
                if (problem.path("groups").size() == 1
                        && problem.path("batch").asInt() == 1
                        && problem.path("dtype").asString().equals("bf16")) {
                    study(problem, study.path("trials")).ifPresent(studies::add);
                }
            }
        }
        return studies;
    }

    private static Optional<Study> study(JsonNode problem, JsonNode trials) {
        ProblemShape shape = new ProblemShape(
                problem.path("m").asInt(),
                problem.path("n").asInt(),
                problem.path("k").asInt());
        List<Raced> raced =
                trials.valueStream().flatMap(trial -> raced(trial).stream()).toList();
        return raced.size() < MIN_RACED
                ? Optional.empty()
                : Optional.of(new Study(Problem.of(shape, DataType.BF16), raced));
    }

    /** The last measurement of a sustained race, where the screen has all that a scale may want. */
    private static Optional<Raced> raced(JsonNode trial) {
        JsonNode screen = trial.path("measurements").path(0);
        Optional<JsonNode> race = trial.path("measurements")
                .valueStream()
                .filter(measurement -> measurement.path("mode").asString("").equals("sustained")
                        && !measurement.path("stage").asString("").equals("screen"))
                .reduce((_, last) -> last);
        return race.filter(_ -> screen.path("smClockMhz").isNumber()
                        && screen.path("ratioToAnchor").path("value").isNumber())
                .map(measurement -> new Raced(
                        config(trial.path("config")),
                        new ScreenScale.ScreenTime(
                                screen.path("medianNs").asDouble(),
                                screen.path("smClockMhz").asDouble(),
                                screen.path("ratioToAnchor").path("value").asDouble()),
                        measurement.path("medianNs").asDouble()));
    }

    private static Config config(JsonNode values) {
        return Config.parse(values.properties().stream()
                .map(value -> value.getKey() + "=" + value.getValue().asString())
                .collect(Collectors.joining(" ")));
    }
}
