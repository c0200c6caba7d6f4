package dev.tilewright.examples.sm100;

import dev.tilewright.examples.step.Arguments;
import dev.tilewright.examples.step.Tile;
import dev.tilewright.gemm.pipeline.Pipeline;
import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B128;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import java.util.function.BiConsumer;

/**
 * A ring of answers of the hardware in each CTA of a pair, 16 bytes in each slot. An answer says which pair was
 * cancelled, so that its tile is ours, or that none was: then this pair ends, and pairs that still wait are launched by
 * the hardware. To ask again after such an answer is undefined, so that the scheduler reads each answer before it asks.
 */
record Answers(Pipeline pipeline, SharedRegion slots) {

    private static final int SLOTS = 2;
    private static final int BYTES = 16;
    private static final Ordering ACQUIRE = Ordering.acquire(Scope.CLUSTER);
    private static final Ordering RELEASE = Ordering.release(Scope.CLUSTER);

    /** Reads an answer: a thread, or a warp, of which one lane hands the slot back. */
    enum Reader {
        THREAD,
        WARP
    }

    /** @param readers of both CTAs; each hands every slot back to the leader */
    static Answers declare(EntryBuilder entry, int readers) {
        Pipeline pipeline = Pipeline.declare(entry, "answer", SLOTS, 1, readers);
        return new Answers(pipeline, entry.shared("answers", SLOTS * BYTES, BYTES));
    }

    /** Asks for another pair; one thread of the leader. The hardware writes the answer into this slot of both CTAs. */
    void ask(CodeBuilder b, PipelineState state) {
        SharedAddress full = pipeline.producerAcquire(b, ACQUIRE, state);
        b.fenceAnswerReuse(); // threads have read the slot, the asynchronous proxy writes it
        for (int rank = 0; rank < Pair.CTAS; rank++) {
            b.mbarrierArriveExpectTx(inCta(b, full, rank), BYTES);
        }
        b.tryCancel(slots.element(b, state.slot(), BYTES), full);
        state.advance(b);
    }

    /**
     * The tile of the pair's own number first, then those that answers bring. Each role reads every answer.
     *
     * @param reader whether a thread or a warp computes
     */
    void forEachTile(CodeBuilder b, Arguments arguments, Reader reader, BiConsumer<CodeBuilder, Tile> body) {
        PipelineState state = pipeline.consumerState(b);
        Reg<B32> number = Tile.cluster(b, Pair.CTAS);
        b.doWhile("tile", w -> {
            body.accept(w, Tile.of(w, arguments, number));
            return read(w, state, number, reader);
        });
    }

    /**
     * Waits for the next answer, and hands its slot back.
     *
     * @param tile becomes the number of the tile that is taken over
     * @return whether there is one
     */
    private Reg<Pred> read(CodeBuilder b, PipelineState state, Reg<B32> tile, Reader reader) {
        Reg<Pred> taken = b.pred();
        pipeline.consumerWait(b, ACQUIRE, state);
        Reg<B128> answer = b.loadAnswer(slots.element(b, state.slot(), BYTES));
        b.isCanceled(taken, answer);
        b.guarded(taken, g -> {
            g.firstCtaX(tile, answer);
            g.mov(tile, g.div(tile, Pair.CTAS));
        });
        b.fenceAnswerRead();
        ClusterAddress empty = inCta(b, pipeline.emptyBarrier(b, state), 0);
        switch (reader) {
            case THREAD -> b.mbarrierArrive(RELEASE, empty, 1);
            case WARP -> {
                b.syncWarp();
                Reg<Pred> first = b.eq(b.special(SpecialRegister.LANEID), 0);
                b.guarded(first, lane -> lane.mbarrierArrive(RELEASE, empty, 1));
            }
        }
        state.advance(b);
        return taken;
    }

    private static ClusterAddress inCta(CodeBuilder b, SharedAddress address, int rank) {
        return b.mapToRank(b.add(address.base(), address.offset()), Immediate.b32(rank));
    }
}
