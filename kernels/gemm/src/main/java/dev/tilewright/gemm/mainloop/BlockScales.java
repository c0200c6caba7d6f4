package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.kernel.LaunchFacts;
import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.Swizzle;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.ptx.Param;
import java.util.List;

/**
 * The parameters by which a launch passes the scales of blocks: of 1 x 128 of A, with M contiguous, and of 128 x 128 of
 * B, with K contiguous. All are f32.
 *
 * @param a tensor map of the scales of A, its box the rows of a tile in one block of K
 * @param rows of A in a tile
 * @param b start of the scales of B
 * @param pitchB floats from one block of N to the next
 * @param blocksN blocks of N
 */
public record BlockScales(Param a, int rows, Param b, Param pitchB, Param blocksN) {

    /** Nothing of a line of scales is asked for twice. */
    private static final int NO_PROMOTION = 0;

    /**
     * Declares them.
     *
     * @param rows of A in a tile
     */
    public static BlockScales declare(BoundParams<LaunchFacts> params, int rows) {
        return new BlockScales(
                params.tensorMap("scaleA", facts -> map(facts.problem().shape(), rows)),
                rows,
                params.operand("scaleB", BufferRole.SCALE_B),
                params.u32(
                        "pitchScaleB",
                        facts -> Scales.BLOCK.pitch(
                                OperandRole.B, facts.problem().shape())),
                params.u32(
                        "blocksN",
                        facts -> Scales.BLOCK.lines(
                                OperandRole.B, facts.problem().shape())));
    }

    /** Of rows beyond A the box has zeros. */
    private static Argument.TensorMap map(ProblemShape shape, int rows) {
        return new Argument.TensorMap(
                BufferRole.SCALE_A,
                0,
                DataType.F32,
                List.of((long) Scales.BLOCK.extent(OperandRole.A, shape), (long)
                        Scales.BLOCK.lines(OperandRole.A, shape)),
                List.of((long) Scales.BLOCK.pitch(OperandRole.A, shape) * Float.BYTES),
                List.of(rows, 1),
                Swizzle.NONE,
                NO_PROMOTION);
    }
}
