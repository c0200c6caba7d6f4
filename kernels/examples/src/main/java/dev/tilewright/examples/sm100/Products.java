package dev.tilewright.examples.sm100;

import static dev.tilewright.examples.step.MatrixDescriptor.plus;

import dev.tilewright.examples.step.MatrixDescriptor;
import dev.tilewright.examples.step.Stages;
import dev.tilewright.examples.step.Step;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Tcgen05.Kind;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.TensorAddress;

/**
 * The multiplications of one thread, for its CTA or for a pair of CTAs. Each instruction has 32 bits that tell the
 * tensor cores what to multiply (PTX 9.7.16.4.2), f32 sums of bf16 products with both operands K-major:
 *
 * <pre>
 *   bit 4          1: f32 sums
 *   bits 7..9      1: A is bf16
 *   bits 10..12    1: B is bf16
 *   bits 17..22    columns / 8
 *   bits 24..28    rows / 16, of both CTAs in a pair
 * </pre>
 */
record Products(CtaGroup group) {

    private static final int BF16 = 1 << 4 | 1 << 7 | 1 << 10;
    /** Ranks of a pair that hear a commit. */
    private static final int BOTH = 0b11;

    /**
     * Issues the products of a block: four instructions of depth 16. The fence puts them behind the wait for the stage.
     *
     * @param sums first column of the sums
     * @param adds whether the products are added to the sums, or replace them
     */
    void multiply(CodeBuilder b, Reg<B32> sums, SharedAddress ofA, SharedAddress ofB, Reg<Pred> adds) {
        Reg<B64> rows = MatrixDescriptor.tcgen05(b, ofA);
        Reg<B64> columns = MatrixDescriptor.tcgen05(b, ofB);
        Reg<Pred> always = b.eq(sums, sums);
        int instruction = BF16 | Step.TILE / 8 << 17 | group.ctas() * Step.TILE / 16 << 24;
        b.tensorFenceAfterSync();
        for (int along = 0; along < Stages.LINE; along += MatrixDescriptor.STEP_BYTES) {
            b.tensorMultiply(
                    group,
                    Kind.F16,
                    TensorAddress.of(sums),
                    plus(b, rows, along),
                    plus(b, columns, along),
                    Immediate.b32(instruction),
                    along == 0 ? adds : always);
        }
    }

    /** Arrives at the barrier when all products so far are there; in a pair, at this barrier of both CTAs. */
    void commit(CodeBuilder b, SharedAddress barrier) {
        ClusterAddress address = new ClusterAddress(barrier.base(), barrier.offset());
        switch (group) {
            case ONE -> b.tensorCommit(group, address);
            case TWO -> {
                Reg<B16> both = b.narrow16(Immediate.b32(BOTH));
                b.tensorCommit(group, address, both);
            }
        }
    }
}
