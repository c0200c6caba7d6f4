package dev.tilewright.gemm.sm90;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.AssembledCover;
import dev.tilewright.gemm.Cover;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kernels with block scales of a cover of their default space assemble without spills. */
class BlockScalesCoverTest {

    private static final long SEED = 20261127;
    private static final int SAMPLE = 3;
    private static final AssembledCover ASSEMBLED = new AssembledCover(new Sm90Gemm(), Target.SM_90A);

    /** Many tiles, few rows that one tile has, and rows that are no multiple of 64. */
    private static final List<String> SHAPES = List.of("4096x7168x2048", "16x7168x2048", "136x2112x7168");

    private static List<Config> configs(String shape) {
        Problem problem = new Problem(
                List.of(ProblemShape.parse(shape)),
                1,
                new OperandTypes(DataType.E4M3, DataType.E4M3, DataType.BF16),
                OperandMajors.DEFAULT,
                Scenario.QUIET,
                Epilogue.NONE,
                Scales.BLOCK);
        SearchSpace space =
                new Sm90Gemm().space().space(problem, DeviceLimits.of(132)).usual(Map.of());
        List<Config> configs = new ArrayList<>(new Cover(space).pairwise(SEED));
        assertThat(configs).hasSizeGreaterThan(10);
        Collections.shuffle(configs, new Random(SEED));
        return configs;
    }

    @Test
    void aSampleAssemblesWithoutSpills() throws Exception {
        for (String shape : SHAPES) {
            ASSEMBLED.assemble(configs(shape).subList(0, SAMPLE));
        }
    }

    @Test
    @Tag("full")
    void aCoverAssemblesWithoutSpills() throws Exception {
        for (String shape : SHAPES) {
            ASSEMBLED.assemble(configs(shape));
        }
    }
}
