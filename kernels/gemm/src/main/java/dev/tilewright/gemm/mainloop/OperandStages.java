package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.pipeline.Pipeline;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;

/**
 * The stages that hold operands, swizzled over the span of a row of theirs. The bytes announced on a full barrier are
 * those that arrive in this CTA, or in both of a pair, whoever loads them; a stage is free when the consumers of every
 * CTA that reads what this CTA loads have handed it back.
 */
public record OperandStages(StageLayout layout, SharedRegion stages, Pipeline pipeline) {

    private static final int ALIGNMENT = 1024;

    /** Declares the stages; their barriers follow by {@link #declareBarriers}, behind all data. */
    public static SharedRegion declareData(EntryBuilder entry, StageLayout layout) {
        return entry.shared("stages", layout.slots() * layout.bytes(), ALIGNMENT);
    }

    /** @param emptyArrivals arrivals that hand a stage back, from all CTAs that read what this one loads */
    public static OperandStages declareBarriers(
            EntryBuilder entry, StageLayout layout, int emptyArrivals, SharedRegion stages) {
        return new OperandStages(layout, stages, Pipeline.declare(entry, "load", layout.slots(), 1, emptyArrivals));
    }

    /**
     * Where the consumer's lane finds the empty barriers of CTA {@code rank}; in-loop arrivals add the slot's offset.
     */
    Reg<B32> remoteEmptyBase(CodeBuilder b, Reg<B32> rank) {
        ClusterAddress remote = b.mapToRank(pipeline.empty().pointer(b, 0), rank);
        return remote.base();
    }

    /**
     * Where something lies in a slot.
     *
     * @param first where it lies in the first slot, as an offset from its start
     */
    SharedAddress inSlot(CodeBuilder b, Reg<B32> first, Reg<B32> slot) {
        return new SharedAddress(b.mad(slot, Immediate.b32(layout.bytes()), first), stages.offset());
    }
}
