package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.kernel.LaunchFacts;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.ptx.Param;

/**
 * The parameters by which a launch passes the scales of blocks: of 1 x 128 of A, with M contiguous, and of 128 x 128 of
 * B, with K contiguous. All are f32.
 *
 * @param a start of the scales of A
 * @param b start of the scales of B
 * @param pitchA floats from one block of K to the next
 * @param pitchB floats from one block of N to the next
 * @param blocksN blocks of N
 */
public record BlockScales(Param a, Param b, Param pitchA, Param pitchB, Param blocksN) {

    /** Declares them. */
    public static BlockScales declare(BoundParams<LaunchFacts> params) {
        return new BlockScales(
                params.operand("scaleA", BufferRole.SCALE_A),
                params.operand("scaleB", BufferRole.SCALE_B),
                params.u32("pitchScaleA", facts -> pitch(OperandRole.A, facts)),
                params.u32("pitchScaleB", facts -> pitch(OperandRole.B, facts)),
                params.u32(
                        "blocksN",
                        facts -> Scales.BLOCK.lines(
                                OperandRole.B, facts.problem().shape())));
    }

    private static int pitch(OperandRole role, LaunchFacts facts) {
        return Scales.BLOCK.pitch(role, facts.problem().shape());
    }
}
