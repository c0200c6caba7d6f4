package dev.tilewright.gemm.scheduler;

import dev.tilewright.gemm.pipeline.Pipeline;
import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import java.util.List;
import java.util.Optional;

/**
 * The ring through which a dynamic scheduler tells the roles of all CTAs of a cluster which tile is next: 16-byte
 * records {tile, valid, 0, 0} with a full and an empty barrier each. Every CTA has its own copy of records and full
 * barriers; the empty barriers that count are those of rank 0, where the scheduler runs. Whether a record was written
 * by a thread or by hardware makes no difference to its readers.
 *
 * <p>A slot is free when every reader of every CTA has handed it back: one arrival of each warp that computes, one of
 * the loading thread, and one of the scheduler itself, which reads its own answers.
 */
public record TileRing(Pipeline pipeline, SharedRegion records, ClusterPlace cluster, Reg<B32> sharedBase) {

    private static final int RECORD_BYTES = 16;
    private static final int RECORD_SHIFT = 4;

    /** What is declared of a ring before there is code. */
    public record Declaration(Pipeline pipeline, SharedRegion records) {}

    /**
     * Declares a ring.
     *
     * @param readingWarps warps of a CTA that read as {@link TileReader.Kind#WARPS}; one loading thread comes on top
     */
    public static Declaration declare(EntryBuilder entry, int slots, int clusterSize, int readingWarps) {
        SharedRegion records = entry.shared("tileRecords", slots * RECORD_BYTES, RECORD_BYTES);
        int readers = clusterSize * (readingWarps + 1) + 1;
        return new Declaration(Pipeline.declare(entry, "tile", slots, 1, readers), records);
    }

    public void initialize(CodeBuilder b) {
        pipeline.initialize(b, sharedBase);
    }

    /**
     * Writes a record to every CTA of the cluster; one thread of rank 0, after {@link #acquire}.
     *
     * @param producer the scheduler's place as a producer
     */
    public void write(CodeBuilder b, PipelineState producer, Operand<B32> tile, Operand<B32> valid) {
        List<Operand<B32>> record = List.of(tile, valid, Immediate.b32(0), Immediate.b32(0));
        SharedAddress full = pipeline.fullBarrier(b, sharedBase, producer);
        SharedAddress slot = slot(b, producer);
        for (int rank = 0; rank < cluster.size(); rank++) {
            Address destination = inCta(b, slot, Immediate.b32(rank));
            b.stVector(ScalarType.U32, destination, record);
            arrive(b, inCta(b, full, Immediate.b32(rank)));
        }
    }

    /** Waits for the slot to be free; before {@link #write}. */
    public void acquire(CodeBuilder b, PipelineState producer) {
        pipeline.producerAcquire(b, cluster.acquire(), sharedBase, producer);
    }

    /** Reads the next record into the cursor and hands its slot back. */
    public void read(CodeBuilder b, TileCursor cursor, Reg<B32> tile, Reg<Pred> valid) {
        PipelineState state = cursor.ring().orElseThrow();
        pipeline.consumerWait(b, cluster.acquire(), sharedBase, state);
        Reg<B32> flag = b.b32();
        b.ldVector(ScalarType.U32, List.of(tile, flag, b.b32(), b.b32()), slot(b, state));
        b.ne(valid, flag, 0);
        SharedAddress empty = pipeline.emptyBarrier(b, sharedBase, state);
        switch (cursor.reader().kind()) {
            case SCHEDULER, THREAD -> arrive(b, inCta(b, empty, Immediate.b32(0)));
            case WARPS -> {
                b.syncWarp();
                Reg<Pred> one = b.eq(b.special(SpecialRegister.LANEID), 0);
                b.ifThen(one, lane -> arrive(lane, inCta(lane, empty, Immediate.b32(0))));
            }
        }
        state.advance(b);
    }

    private SharedAddress slot(CodeBuilder b, PipelineState state) {
        return new SharedAddress(b.add(b.shl(state.slot(), RECORD_SHIFT), sharedBase), records.offset());
    }

    private void arrive(CodeBuilder b, Address barrier) {
        b.with(new Mbarrier.Arrive(cluster.release(), barrier, Optional.empty()));
    }

    private Address inCta(CodeBuilder b, SharedAddress address, Operand<B32> rank) {
        if (cluster.size() == 1) {
            return address;
        }
        return b.mapToRank(b.add(address.base(), address.offset()), rank);
    }
}
