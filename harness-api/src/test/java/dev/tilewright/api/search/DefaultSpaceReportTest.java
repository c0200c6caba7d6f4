package dev.tilewright.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.results.ColumnFile;
import dev.tilewright.simulator.LaunchModels;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.device.LaunchModel;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.testing.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * What the default space has of the winners of all stored studies of single bf16 GEMMs: the winner itself, or a config
 * of the same tile that the cost model predicts to be as fast.
 */
class DefaultSpaceReportTest {

    private static final Path FOLDER = Path.of("../docs/results/h200");
    /** Those that tests of pages show. */
    private static final Path FIXTURES = Path.of("src/test/resources/results/h200");

    private static final Path REPORT = Path.of("../docs/results/simulator/default-space.md");
    private static final double LEAST_HELD = 0.995;
    private static final List<String> STAGES = List.of("final", "contend", "screen");

    /** What kernels had before there was a parameter that says so. */
    private static final Map<String, String> BEFORE = Map.ofEntries(
            Map.entry("swapAB", "0"),
            Map.entry("splitK", "1"),
            Map.entry("clusterOrder", "launch"),
            Map.entry("loadStart", "free"),
            Map.entry("l2Promotion", "128"),
            Map.entry("ctasPerSm", "1"),
            Map.entry("epilogueStages", "2"),
            Map.entry("gridSize", "0"),
            Map.entry("tileLocation", "raster"),
            Map.entry("l2Hint", "none"));

    private final FamilySpace family = Families.standard().named("sm90-gemm");
    private final LaunchModel model = LaunchModels.ofDevice("h200").orElseThrow();

    /**
     * The winner of a study.
     *
     * @param stage by which it won
     */
    private record Winner(String file, Problem problem, String stage, Config config) {}

    /**
     * What the default space has of it.
     *
     * @param held predicted time of the winner over that of the nearest; 1 if the space has the winner
     * @param nearest of its tile in the default space
     */
    private record Held(Winner winner, double held, Config nearest) {

        String differences() {
            return winner.config().values().keySet().stream()
                    .filter(name -> !winner.config().value(name).toString().equals(now(name)))
                    .map(name -> name + " " + winner.config().value(name) + " → " + now(name))
                    .collect(Collectors.joining(", "));
        }

        /** A dash for a parameter that kernels have no longer. */
        private String now(String name) {
            return nearest.has(name) ? nearest.value(name).toString() : "-";
        }
    }

    @Test
    @Tag("full")
    void write() throws IOException {
        List<Held> all;
        try (Stream<Path> files = documents()) {
            all = files.flatMap(DefaultSpaceReportTest::winners)
                    .sorted(Comparator.comparing(Winner::file))
                    .map(this::held)
                    .toList();
        }
        Files.writeString(ResultFile.of(REPORT), markdown(all));
        assertThat(all).hasSizeGreaterThan(70).allMatch(held -> held.held() >= LEAST_HELD);
    }

    private static Stream<Path> documents() throws IOException {
        return Stream.concat(Files.walk(FOLDER), Files.walk(FIXTURES))
                .filter(file -> file.toString().endsWith(ColumnFile.ENDING));
    }

    private static Stream<Winner> winners(Path file) {
        try {
            JsonNode document = ColumnFile.read(file);
            return document.path("studies").valueStream().flatMap(study -> winner(file, study).stream());
        } catch (IOException unreadable) {
            throw new IllegalStateException("cannot read " + file, unreadable);
        }
    }

    private static Optional<Winner> winner(Path file, JsonNode study) {
        JsonNode problem = study.path("problem");
        boolean single = problem.path("groups").size() <= 1
                && problem.path("batch").asInt(1) == 1
                && problem.path("scenario").path("busySms").asInt(0) == 0
                && problem.path("dtype").asString("").equals("bf16");
        if (!single || !study.path("testbed").path("kind").asString("").equals("cuda")) {
            return Optional.empty();
        }
        Problem gemm = Problem.of(
                new ProblemShape(
                        problem.get("m").asInt(),
                        problem.get("n").asInt(),
                        problem.get("k").asInt()),
                DataType.BF16);
        return STAGES.stream()
                .flatMap(stage ->
                        fastest(study, stage).map(config -> new Winner(name(file), gemm, stage, config)).stream())
                .findFirst();
    }

    /** Of a study's file: its path without the ending. */
    private static String name(Path file) {
        String path =
                (file.startsWith(FOLDER) ? FOLDER : FIXTURES).relativize(file).toString();
        return path.substring(0, path.length() - ColumnFile.ENDING.length());
    }

    private static Optional<Config> fastest(JsonNode study, String stage) {
        return study.get("trials")
                .valueStream()
                .filter(trial -> trial.path("outcome").asString("").equals("completed"))
                .filter(trial -> Double.isFinite(ns(trial, stage)))
                .min(Comparator.comparingDouble(trial -> ns(trial, stage)))
                .map(DefaultSpaceReportTest::config);
    }

    private static double ns(JsonNode trial, String stage) {
        return trial.get("measurements")
                .valueStream()
                .filter(measurement -> measurement.get("mode").asString().equals("sustained")
                        && measurement.get("stage").asString().equals(stage))
                .mapToDouble(measurement -> measurement.get("medianNs").asDouble())
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    private static Config config(JsonNode trial) {
        Map<String, ParameterValue> values = new TreeMap<>();
        BEFORE.forEach((name, value) -> values.put(name, ParameterValue.parse(value)));
        trial.get("config")
                .propertyStream()
                .forEach(value -> values.put(
                        value.getKey(), ParameterValue.parse(value.getValue().asString())));
        return Config.of(values);
    }

    private Held held(Winner winner) {
        SpaceTree space = SpaceTree.of(
                family.space(winner.problem(), DeviceLimits.of(132)).usual(Map.of()));
        // Kernels had no parts of clusters before; only some spaces have them.
        Config config =
                space.order().stream().anyMatch(parameter -> parameter.name().equals("clusterK"))
                        ? winner.config().with("clusterK", ParameterValue.of(1))
                        : winner.config();
        if (space.contains(config)) {
            return new Held(winner, 1, winner.config());
        }
        Map<String, List<ParameterValue>> tile = family.tile().stream()
                .filter(config::has)
                .collect(Collectors.toMap(Function.identity(), name -> List.of(config.value(name))));
        Config nearest = space.only(tile)
                .configs()
                .min(Comparator.comparingDouble(
                        one -> model.settled(winner.problem(), one).ns()))
                .orElseThrow(() -> new AssertionError("the default space has nothing of the tile of " + winner));
        double held = model.settled(winner.problem(), winner.config()).ns()
                / model.settled(winner.problem(), nearest).ns();
        return new Held(winner, held, nearest);
    }

    private static String markdown(List<Held> all) {
        StringBuilder text = new StringBuilder("""
                # What the default space has of the winners

                Written by `DefaultSpaceReportTest`. A row is the winner of a stored study on an H200, by the last stage that it
                has. *Held*: how fast the best config of its tile in the default space is beside it. The cost model predicts
                both (simulated). It is 1 where the default space has the winner itself.

                """);
        text.append("Commit ")
                .append(System.getProperty("tilewright.commit", "unknown"))
                .append(String.format(
                        Locale.ROOT,
                        "; %d winners, %d of them in the default space; least held %.4f.%n%n",
                        all.size(),
                        all.stream()
                                .filter(held ->
                                        held.nearest().equals(held.winner().config()))
                                .count(),
                        all.stream().mapToDouble(Held::held).min().orElseThrow()));
        text.append("| study | shape | won by | held | where the nearest differs |\n| --- | --- | --- | --- | --- |\n");
        all.forEach(held -> text.append(String.format(
                Locale.ROOT,
                "| %s | %s | %s | %.4f | %s |%n",
                held.winner().file(),
                held.winner().problem().shape(),
                held.winner().stage(),
                held.held(),
                held.differences())));
        return text.toString();
    }
}
