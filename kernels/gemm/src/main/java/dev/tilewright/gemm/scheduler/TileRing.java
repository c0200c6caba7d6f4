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
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.space.gemm.RingPlan;
import dev.tilewright.space.parameter.Throttle;
import java.util.List;
import java.util.Optional;

/**
 * The ring through which a dynamic scheduler tells the roles of all CTAs of a cluster which tile is next: 16-byte
 * records with a full and an empty barrier each. Every CTA has its own copy of records and full barriers; the empty
 * barriers that count are those of rank 0, where the scheduler runs. Whether a record was written by a thread or by
 * hardware is for the {@link TileSource} to know.
 *
 * <p>A slot is free when every reader of every CTA has handed it back: one arrival of each warp that reads as
 * {@link TileReader.Kind#WARPS}, one of each single thread, and one of the scheduler itself, which reads its own
 * answers.
 *
 * @param throttle barrier that says how far the roles of rank 0 are, if the scheduler waits for them
 * @param acquire how to wait for a record, and for a free slot
 * @param release how to hand over a record, and a free slot
 * @param releaseOwn how the scheduler hands back a slot to itself
 */
public record TileRing(
        Pipeline pipeline,
        SharedRegion records,
        Optional<SharedRegion> throttle,
        ClusterPlace cluster,
        Ordering acquire,
        Ordering release,
        Ordering releaseOwn) {

    private static final int RECORD_BYTES = 16;
    private static final int RECORD_SHIFT = 4;

    /** Declarations of a ring, made before there is code. */
    public record Declaration(Pipeline pipeline, SharedRegion records, Optional<SharedRegion> throttle, RingPlan plan) {

        /** The ring of records that threads write. */
        public TileRing written(ClusterPlace cluster) {
            return ring(cluster, cluster.release());
        }

        /**
         * The ring of answers that the hardware writes; it completes them at the scope of the cluster. What the
         * scheduler has read itself is before its next query without a release.
         */
        public TileRing answered(ClusterPlace cluster) {
            return ring(cluster, cluster.relaxed());
        }

        private TileRing ring(ClusterPlace cluster, Ordering releaseOwn) {
            return new TileRing(pipeline, records, throttle, cluster, cluster.acquire(), cluster.release(), releaseOwn);
        }
    }

    /**
     * Declares a ring.
     *
     * @param readers arrivals that free a slot, of all CTAs and the scheduler
     */
    public static Declaration declare(EntryBuilder entry, RingPlan plan, int readers) {
        SharedRegion records = entry.shared("tileRecords", plan.slots() * RECORD_BYTES, RECORD_BYTES);
        Pipeline pipeline = Pipeline.declare(entry, "tile", plan.slots(), 1, readers);
        Optional<SharedRegion> throttle =
                plan.throttle() == Throttle.NONE ? Optional.empty() : Optional.of(entry.barriers("tileThrottle", 1));
        return new Declaration(pipeline, records, throttle, plan);
    }

    public void initialize(CodeBuilder b) {
        pipeline.initialize(b);
        throttle.ifPresent(barrier -> b.mbarrierInit(barrier.barrier(b, 0), 1));
    }

    /**
     * Writes a record to every CTA of the cluster; one thread of rank 0, when the slot is empty.
     *
     * @param producer the scheduler's state as a producer
     */
    public void write(CodeBuilder b, PipelineState producer, Operand<B32> tile, Operand<B32> valid) {
        List<Operand<B32>> record = List.of(tile, valid, Immediate.b32(0), Immediate.b32(0));
        SharedAddress full = pipeline.fullBarrier(b, producer);
        SharedAddress slot = slot(b, producer);
        for (int rank = 0; rank < cluster.size(); rank++) {
            Address destination = inCta(b, slot, Immediate.b32(rank));
            b.stVector(ScalarType.U32, destination, record);
            arrive(b, inCta(b, full, Immediate.b32(rank)));
        }
    }

    /** The first half of {@link #write}: readers do not see the record before {@link #announce}. */
    public void store(CodeBuilder b, PipelineState producer, Operand<B32> tile, Operand<B32> valid) {
        List<Operand<B32>> record = List.of(tile, valid, Immediate.b32(0), Immediate.b32(0));
        SharedAddress slot = slot(b, producer);
        for (int rank = 0; rank < cluster.size(); rank++) {
            b.stVector(ScalarType.U32, inCta(b, slot, Immediate.b32(rank)), record);
        }
    }

    /** The second half of {@link #write}, by the same thread. */
    public void announce(CodeBuilder b, PipelineState producer) {
        SharedAddress full = pipeline.fullBarrier(b, producer);
        for (int rank = 0; rank < cluster.size(); rank++) {
            arrive(b, inCta(b, full, Immediate.b32(rank)));
        }
    }

    /** Expects a record in every CTA of the cluster; one thread of rank 0, which has nothing else to hand over. */
    public void expect(CodeBuilder b, PipelineState producer) {
        SharedAddress full = pipeline.fullBarrier(b, producer);
        for (int rank = 0; rank < cluster.size(); rank++) {
            Address barrier = inCta(b, full, Immediate.b32(rank));
            b.with(new Mbarrier.ArriveExpectTx(cluster.relaxed(), barrier, Immediate.b32(RECORD_BYTES)));
        }
    }

    /** Waits for the slot to be free; before it is filled. */
    public void waitEmpty(CodeBuilder b, PipelineState producer) {
        pipeline.producerAcquire(b, acquire, producer);
    }

    /** Waits for the slot's record. */
    public void waitFull(CodeBuilder b, PipelineState reader) {
        pipeline.consumerWait(b, acquire, reader);
    }

    /** Hands the reader's slot back and goes to the next. */
    public void handBack(CodeBuilder b, PipelineState reader, TileReader.Kind kind) {
        SharedAddress empty = pipeline.emptyBarrier(b, reader);
        switch (kind) {
            case THREAD -> arrive(b, inCta(b, empty, Immediate.b32(0)));
            case SCHEDULER ->
                b.with(new Mbarrier.Arrive(releaseOwn, inCta(b, empty, Immediate.b32(0)), Optional.empty()));
            case WARPS -> {
                b.comment("wait until all lanes have read the record");
                b.syncWarp();
                Reg<Pred> one = b.eq(b.special(SpecialRegister.LANEID), 0);
                b.ifThen(one, lane -> arrive(lane, inCta(lane, empty, Immediate.b32(0))));
            }
        }
        reader.advance(b);
    }

    SharedAddress slot(CodeBuilder b, PipelineState state) {
        return records.at(b, b.shl(state.slot(), RECORD_SHIFT));
    }

    private void arrive(CodeBuilder b, Address barrier) {
        b.with(new Mbarrier.Arrive(release, barrier, Optional.empty()));
    }

    private Address inCta(CodeBuilder b, SharedAddress address, Operand<B32> rank) {
        if (cluster.size() == 1) {
            return address;
        }
        return b.mapToRank(b.add(address.base(), address.offset()), rank);
    }
}
