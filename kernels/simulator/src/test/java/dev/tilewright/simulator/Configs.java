package dev.tilewright.simulator;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Configs and problems from short texts. */
final class Configs {

    private Configs() {}

    /** A config from {@code name=value} pairs, separated by blanks. */
    static Config config(String text) {
        return Config.of(Arrays.stream(text.split(" "))
                .map(pair -> pair.split("="))
                .collect(Collectors.toMap(pair -> pair[0], pair -> ParameterValue.parse(pair[1]))));
    }

    /** The same config with other values for some parameters. */
    static Config with(Config config, String text) {
        Config changed = config;
        for (var entry : config(text).values().entrySet()) {
            changed = changed.with(entry.getKey(), entry.getValue());
        }
        return changed;
    }

    /** A static cooperative kernel with 128x256 tiles in clusters of 2x1. */
    static Config large() {
        return config("scheduler=static tileM=128 tileN=256 tileK=64 consumers=2 mode=cooperative loadStages=4"
                + " clusterM=2 clusterN=1 rasterOrder=groupedM rasterGroup=8 swizzle=128 epilogueN=64 waitDepth=1");
    }

    static Problem bf16(String shape) {
        return Problem.of(ProblemShape.parse(shape), DataType.BF16);
    }

    static Problem busy(String shape, int busySms) {
        return new Problem(
                List.of(ProblemShape.parse(shape)),
                1,
                OperandTypes.all(DataType.BF16),
                OperandMajors.DEFAULT,
                new Scenario(busySms));
    }

    static Problem grouped(int batch, String... shapes) {
        return new Problem(
                Arrays.stream(shapes).map(ProblemShape::parse).toList(),
                batch,
                OperandTypes.all(DataType.BF16),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
    }
}
