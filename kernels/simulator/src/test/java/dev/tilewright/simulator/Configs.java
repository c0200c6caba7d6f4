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

/** Configs and problems from short texts. */
final class Configs {

    private static final String MULTICAST = "multicast";

    private Configs() {}

    /**
     * The same config with other values for some parameters. What a text says nothing of: a CTA alone shares no
     * operands, and a cluster of a kernel that had none shares both.
     */
    static Config with(Config config, String text) {
        Config changed = config;
        for (var entry : Config.pairs(text).entrySet()) {
            changed = changed.with(entry.getKey(), entry.getValue());
        }
        if (Config.pairs(text).containsKey(MULTICAST) || isAlone(changed) == isAlone(config)) {
            return changed;
        }
        return changed.with(MULTICAST, ParameterValue.of(isAlone(changed) ? "none" : "both"));
    }

    private static boolean isAlone(Config config) {
        return config.whole("clusterM") * config.whole("clusterN") == 1;
    }

    /** A static cooperative kernel with 128x256 tiles in clusters of 2x1. */
    static Config large() {
        return Config.parse("scheduler=static tileM=128 tileN=256 tileK=64 consumers=2 mode=cooperative loadStages=4"
                + " clusterM=2 clusterN=1 multicast=both rasterOrder=groupedM rasterGroup=8 gridSize=0 swizzle=128"
                + " epilogueN=64 registers=0 waitDepth=1");
    }

    static Problem bf16(String shape) {
        return Problem.of(ProblemShape.parse(shape), DataType.BF16);
    }

    static Problem busy(String shape, int busySms) {
        return new Problem(
                List.of(ProblemShape.parse(shape)),
                1,
                OperandTypes.of(DataType.BF16),
                OperandMajors.DEFAULT,
                new Scenario(busySms));
    }

    static Problem grouped(int batch, String... shapes) {
        return new Problem(
                Arrays.stream(shapes).map(ProblemShape::parse).toList(),
                batch,
                OperandTypes.of(DataType.BF16),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
    }
}
