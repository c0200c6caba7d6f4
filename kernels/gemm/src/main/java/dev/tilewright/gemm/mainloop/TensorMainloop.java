package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.kernel.KBlocks;
import dev.tilewright.gemm.kernel.TileWalk;
import dev.tilewright.gemm.oracle.SumError;
import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.gemm.scheduler.ClusterPlace;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The multiplying side of the K loop: ONE thread, of the leader in a pair. Both operands come from shared memory, the
 * accumulator lies in tensor memory. Nothing waits for a multiplication: a commit behind those of a stage hands the
 * stage back when they are done, and a commit behind those of a tile says that its accumulator is full.
 *
 * <p>In a pair both CTAs are read at the same offsets.
 */
public final class TensorMainloop implements Mainloop {

    /** How far its sums may be off: every product is added to one f32 sum, so as far as any plain accumulation's. */
    public static final SumError SUM_ERROR = SumError.Rounded.PLAIN;

    private final OperandStages stages;
    private final StageLayout layout;
    private final AccumulatorSlots accumulators;
    private final InstructionDescriptor instruction;
    private final Reg<B32> tensorBase;
    private final List<MatrixDescriptor> operands;
    private final List<MatrixDescriptor.InRing> descriptors;
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
        operands = layout.tiles().stream().map(MatrixDescriptor::new).toList();
        descriptors = operands.stream().map(operand -> descriptor(b, operand)).toList();
        Reg<B32> any = stages.stages().at(b, 0).base();
        always = b.eq(any, any);
        boolean alone = sharing.group() == CtaGroup.ONE;
        writers = alone && sharing.readers() == 1 ? Optional.empty() : Optional.of(sharing.maskOfWriters(b, cluster));
        group = alone ? Optional.empty() : Optional.of(sharing.maskOfGroup(b, cluster));
        stage = stages.pipeline().consumerState(b);
        accumulator = accumulators.filling(b);
    }

    private MatrixDescriptor.InRing descriptor(CodeBuilder b, MatrixDescriptor operand) {
        Reg<B32> first = stages.stages().pointer(b, layout.offset(operand.tile().role()));
        return new MatrixDescriptor.InRing(operand.lowWord(b, first), operand.tcgen05HighWord(), layout.bytes());
    }

    @Override
    public Products begin(CodeBuilder b, TileWalk walk, Reg<B32> number) {
        KBlocks blocks = walk.kBlocks(b, number);
        b.comment("mainloop: the products of the k blocks");
        // The first tcgen05 work behind this wait comes behind the fence of the first stage.
        SharedAddress full = accumulator.acquire(b);
        TensorAddress d = TensorAddress.of(accumulator.columns(b, tensorBase));
        return new OfTile(full, d, blocks.counter(b));
    }

    /** Adds up a tile in one slot of tensor memory. */
    private final class OfTile implements Products {

        private final SharedAddress full;
        private final TensorAddress d;
        private final KBlocks.Counter counter;

        OfTile(SharedAddress full, TensorAddress d, KBlocks.Counter counter) {
            this.full = full;
            this.d = d;
            this.counter = counter;
        }

        @Override
        public void await(CodeBuilder b) {
            stages.pipeline().consumerWait(b, Ordering.DEFAULT, stage);
            b.tensorFenceAfterSync();
        }

        @Override
        public void multiply(CodeBuilder b) {
            Reg<Pred> adds = b.ne(counter.block(), 0);
            List<Reg<B64>> inSlot =
                    descriptors.stream().map(ring -> ring.of(b, stage.slot())).toList();
            for (int step = 0; step < operands.getFirst().steps(); step++) {
                List<Reg<B64>> atStep = new ArrayList<>();
                for (int i = 0; i < operands.size(); i++) {
                    atStep.add(MatrixDescriptor.plus(
                            b, inSlot.get(i), operands.get(i).alongK(step)));
                }
                b.tensorMultiply(
                        accumulators.group(),
                        kind(),
                        d,
                        atStep.getFirst(),
                        atStep.getLast(),
                        Immediate.b32(instruction.bits()),
                        step == 0 ? adds : always);
            }
        }

        @Override
        public Reg<Pred> release(CodeBuilder b) {
            commit(b, stages.pipeline().emptyBarrier(b, stage), writers);
            stage.advance(b);
            return counter.next(b);
        }

        @Override
        public void finish(CodeBuilder b) {
            commit(b, full, group);
            accumulator.advance(b);
        }
    }

    private Kind kind() {
        return instruction.input().bytes() == 1 ? Kind.F8F6F4 : Kind.F16;
    }

    /** Arrives when everything issued so far is done: in this CTA, or in each of the mask. */
    private void commit(CodeBuilder b, SharedAddress barrier, Optional<Reg<B16>> mask) {
        ClusterAddress place = new ClusterAddress(barrier.base(), barrier.offset());
        mask.ifPresentOrElse(
                ranks -> b.tensorCommit(accumulators.group(), place, ranks),
                () -> b.tensorCommit(accumulators.group(), place));
    }
}
