package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Tcgen05.Kind;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.TensorAddress;
import dev.tilewright.space.operand.OperandTile;
import java.util.Optional;

/**
 * The multiplying side of the K loop: ONE thread, of the leader in a pair. Both operands come from shared memory, the
 * accumulator lies in tensor memory. Nothing waits for a multiplication: a commit behind those of a stage hands the
 * stage back when they are done, and a commit behind those of a tile says that its accumulator is full.
 *
 * <p>Of a matrix descriptor only the low word changes: +2 for the next 32 bytes of K, + all rows for the next panel, +
 * a stage for the next slot, all in units of 16 bytes. In a pair both CTAs are read at the same offsets.
 */
public final class TensorMainloop {

    private static final int STEP_BYTES = 32;
    private static final int DESCRIPTOR_UNIT = 16;
    private static final int DESCRIPTOR_MASK = 0x3FFFF;
    /** The leading-dimension field, which swizzled K-major layouts ignore; 1 by convention. */
    private static final int LEADING_DIMENSION = 1 << 16;
    /** Bits 46..48 of a matrix descriptor are 1. */
    private static final int FIXED = 1 << 14;

    private static final int ROWS_OF_A_GROUP = 8;

    private final OperandStages stages;
    private final StageLayout layout;
    private final AccumulatorSlots accumulators;
    private final InstructionDescriptor instruction;
    private final Reg<B32> tensorBase;
    private final Reg<B32> descriptorA;
    private final Reg<B32> descriptorB;
    private final Reg<Pred> always;
    private final Optional<Reg<B16>> writers;
    private final Optional<Reg<B16>> group;
    private final PipelineState stage;
    private final AccumulatorCursor accumulator;

    /** Prepares what does not change from tile to tile. */
    public TensorMainloop(
            CodeBuilder b,
            OperandStages stages,
            AccumulatorSlots accumulators,
            InstructionDescriptor instruction,
            ClusterSharing sharing,
            ClusterPlace cluster,
            Reg<B32> tensorBase) {
        this.stages = stages;
        this.layout = stages.layout();
        this.accumulators = accumulators;
        this.instruction = instruction;
        this.tensorBase = tensorBase;
        descriptorA = lowWord(b, stages.stages().pointer(b, 0));
        descriptorB = lowWord(b, stages.stages().pointer(b, layout.offset(OperandRole.B)));
        Reg<B32> any = stages.stages().at(b, 0).base();
        always = b.eq(any, any);
        boolean alone = sharing.group() == CtaGroup.ONE;
        writers = alone && sharing.readers() == 1 ? Optional.empty() : Optional.of(sharing.maskOfWriters(b, cluster));
        group = alone ? Optional.empty() : Optional.of(sharing.maskOfGroup(b, cluster));
        stage = stages.pipeline().consumerState(b);
        accumulator = accumulators.filling(b);
    }

    private static Reg<B32> lowWord(CodeBuilder b, Reg<B32> address) {
        return b.or(b.shr(b.and(address, DESCRIPTOR_MASK), 4), LEADING_DIMENSION);
    }

    /** Swizzle code and bytes between groups of 8 rows, which lie packed. */
    private int highWord() {
        int span = layout.tile(OperandRole.A).span();
        int code = switch (span) {
            case 128 -> 2;
            case 64 -> 4;
            case 32 -> 6;
            default ->
                throw new IllegalArgumentException("operands are swizzled over 32, 64 or 128 bytes, got " + span);
        };
        return code << 29 | FIXED | ROWS_OF_A_GROUP * span / DESCRIPTOR_UNIT;
    }

    /**
     * Issues all multiplications of a tile.
     *
     * @param kBlocks at least 1
     */
    public void multiply(CodeBuilder b, Reg<B32> kBlocks) {
        // The first tcgen05 work behind this wait comes behind the fence of the first stage.
        SharedAddress full = accumulator.acquire(b);
        TensorAddress d = TensorAddress.of(accumulator.columns(b, tensorBase));
        Reg<B32> block = b.b32();
        b.mov(block, 0);
        b.doWhile("multiply k", w -> {
            stages.pipeline().consumerWait(w, Ordering.DEFAULT, stage);
            w.tensorFenceAfterSync();
            issueStage(w, d, w.ne(block, 0));
            commit(w, stages.pipeline().emptyBarrier(w, stage), writers);
            stage.advance(w);
            w.add(block, block, 1);
            return w.lt(block, kBlocks);
        });
        commit(b, full, group);
        accumulator.advance(b);
    }

    private void issueStage(CodeBuilder b, TensorAddress d, Reg<Pred> notFirst) {
        int unitsPerStage = layout.bytes() / DESCRIPTOR_UNIT;
        Immediate<B32> high = Immediate.b32(highWord());
        Reg<B64> a = b.pack(b.mad(stage.slot(), Immediate.b32(unitsPerStage), descriptorA), high);
        Reg<B64> bTile = b.pack(b.mad(stage.slot(), Immediate.b32(unitsPerStage), descriptorB), high);
        OperandTile tileOfA = layout.tile(OperandRole.A);
        OperandTile tileOfB = layout.tile(OperandRole.B);
        for (int panel = 0; panel < layout.panels(); panel++) {
            for (int along = 0; along < tileOfA.span(); along += STEP_BYTES) {
                Reg<B64> aStep = plus(b, a, along + panel * tileOfA.panelBytes());
                Reg<B64> bStep = plus(b, bTile, along + panel * tileOfB.panelBytes());
                Reg<Pred> adds = panel == 0 && along == 0 ? notFirst : always;
                b.tensorMultiply(
                        accumulators.group(), kind(), d, aStep, bStep, Immediate.b32(instruction.bits()), adds);
            }
        }
    }

    private Kind kind() {
        return instruction.input().bytes() == 1 ? Kind.F8F6F4 : Kind.F16;
    }

    private static Reg<B64> plus(CodeBuilder b, Reg<B64> descriptor, int bytes) {
        return bytes == 0 ? descriptor : b.add(descriptor, bytes / DESCRIPTOR_UNIT);
    }

    /** Arrives when everything issued so far is done: in this CTA, or in each of the mask. */
    private void commit(CodeBuilder b, SharedAddress barrier, Optional<Reg<B16>> mask) {
        ClusterAddress place = new ClusterAddress(barrier.base(), barrier.offset());
        mask.ifPresentOrElse(
                ranks -> b.tensorCommit(accumulators.group(), place, ranks),
                () -> b.tensorCommit(accumulators.group(), place));
    }
}
