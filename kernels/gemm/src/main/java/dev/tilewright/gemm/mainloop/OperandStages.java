package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.pipeline.Pipeline;
import dev.tilewright.gemm.space.Sm90Config;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;

/**
 * The stages that hold operands: in each the rows of A, then those of B, every row {@code tileK} elements long and
 * swizzled over its own length. The bytes announced on a full barrier are those that arrive in this CTA, whoever loads
 * them; a stage is free when the consumers of every CTA that reads what this CTA loads have handed it back.
 */
public record OperandStages(Sm90Config config, SharedRegion stages, Pipeline pipeline) {

    private static final int ALIGNMENT = 1024;

    /** Declares the stages; their barriers follow by {@link #declareBarriers}, behind all data. */
    public static SharedRegion declareData(EntryBuilder entry, Sm90Config config) {
        return entry.shared("stages", config.loadStages() * config.stageBytes(), ALIGNMENT);
    }

    public static OperandStages declareBarriers(EntryBuilder entry, Sm90Config config, SharedRegion stages) {
        int empty = config.warpgroupsPerTile() * sharers(config);
        return new OperandStages(config, stages, Pipeline.declare(entry, "load", config.loadStages(), 1, empty));
    }

    /** CTAs that read what one CTA loads. */
    private static int sharers(Sm90Config config) {
        return config.multicast() ? config.clusterSize() : 1;
    }

    /** CTAs to which a consumer hands back a stage. */
    public int sharers() {
        return sharers(config);
    }

    /**
     * Where the consumer's lane finds the empty barriers of CTA {@code rank}; in-loop arrivals add the slot's offset.
     */
    Reg<B32> remoteEmptyBase(CodeBuilder b, Reg<B32> sharedBase, Reg<B32> rank) {
        ClusterAddress remote = b.mapToRank(b.add(sharedBase, pipeline.empty().offset()), rank);
        return remote.base();
    }

    /** Start of A in a slot. */
    SharedAddress slotA(CodeBuilder b, Reg<B32> sharedBase, Reg<B32> slot) {
        return new SharedAddress(b.mad(slot, Immediate.b32(config.stageBytes()), sharedBase), stages.offset());
    }

    int offsetB() {
        return config.stageBytesA();
    }
}
