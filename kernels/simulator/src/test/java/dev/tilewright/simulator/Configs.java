package dev.tilewright.simulator;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import java.util.Arrays;
import java.util.List;

/** Configs and problems from short texts. */
final class Configs {

    private Configs() {}

    /** The same config with other values for some parameters. */
    static Config with(Config config, String text) {
        Config changed = config;
        for (var entry : Config.pairs(text).entrySet()) {
            changed = changed.with(entry.getKey(), entry.getValue());
        }
        return changed;
    }

    /** A static cooperative kernel with 128x256 tiles in clusters of 2x1. */
    static Config large() {
        return Config.parse("scheduler=static tileM=128 tileN=256 tileK=64 consumers=2 mode=cooperative loadStages=4"
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
