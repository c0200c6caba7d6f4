package dev.tilewright.gemm.scheduler;

import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.space.gemm.RingPlan;
import dev.tilewright.space.parameter.Throttle;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * First come first served: the first tile of a cluster is its own number; each further one comes from a
 * {@link TileSource}. A thread of rank 0 asks ahead, and everybody reads the answers from a {@link TileRing}.
 *
 * <p>With p queries in flight, p - 1 are made before the first tile and one more at the beginning of each tile. The
 * first failed answer ends the asking, not the reading: answers that are still in flight are read, and a tile among
 * them is computed.
 *
 * @param number of the cluster
 * @param tiles parameter: number of cluster tiles
 * @param failures in a traced twin: notes that an answer failed after the given tile; one thread of each cluster
 */
public record RingTileScheduler(
        ClusterPlace cluster,
        ClusterNumber number,
        Param tiles,
        RingPlan plan,
        TileRing ring,
        TileSource source,
        Optional<BiConsumer<CodeBuilder, Reg<B32>>> failures)
        implements TileScheduler {

    /** The throttle's barrier, between threads of rank 0: it carries no data, so it needs no release. */
    private static final Ordering NOTHING_HANDED_OVER = Ordering.relaxed(Scope.CTA);

    @Override
    public void initializeShared(CodeBuilder b) {
        ring.initialize(b);
    }

    @Override
    public TileCursor initialize(CodeBuilder b, TileReader reader) {
        Reg<B32> tile = b.b32("tile");
        b.mov(tile, number.own(b));
        Reg<Pred> hasWork = b.pred("hasTile");
        b.lt(hasWork, tile, b.param32(tiles));
        PipelineState next = ring.pipeline().consumerState(b);
        boolean asks = reader.kind() == TileReader.Kind.SCHEDULER;
        Optional<Reg<B32>> throttleParity =
                ring.throttle().filter(barrier -> asks).map(barrier -> b.b32("throttleParity", 0));
        RingCursor inRing = new RingCursor(next, flight(b, asks), throttleParity);
        TileCursor cursor = new TileCursor(reader, tile, hasWork, Optional.of(inRing));
        if (plan.prefetch() > 1 && reader.alternation().isPresent()) {
            throw new IllegalArgumentException(
                    "with " + plan.prefetch() + " queries in flight, the warpgroups of a CTA cannot alternate");
        }
        reader.alternation()
                .ifPresent(other -> b.ifThen(b.ne(other.index(), 0), second -> {
                    other.pass(second, tile);
                    read(second, cursor, Optional.empty());
                }));
        for (int query = 0; asks && query < plan.prefetch() - 1; query++) {
            // A slot of a fresh ring is free.
            source.ask(b, ring, ahead(b, next, query), inRing.flight().flatMap(RingCursor.Flight::exhausted));
        }
        return cursor;
    }

    private Optional<RingCursor.Flight> flight(CodeBuilder b, boolean asks) {
        if (plan.prefetch() == 1) {
            return Optional.empty();
        }
        Reg<B32> outstanding = b.b32("outstanding", plan.prefetch() - 1);
        boolean forGood = source.failsForGood();
        return Optional.of(new RingCursor.Flight(
                outstanding,
                forGood ? Optional.empty() : Optional.of(never(b, "failed")),
                forGood && asks ? Optional.of(never(b, "exhausted")) : Optional.empty()));
    }

    private static Reg<Pred> never(CodeBuilder b, String register) {
        Reg<Pred> d = b.pred(register);
        b.clear(d);
        return d;
    }

    @Override
    public boolean needsRole() {
        return true;
    }

    @Override
    public void tryCancel(CodeBuilder b, TileCursor cursor) {
        RingCursor inRing = cursor.ring().orElseThrow();
        inRing.flight()
                .flatMap(RingCursor.Flight::failed)
                .ifPresentOrElse(failed -> b.ifNot(failed, w -> askNext(w, inRing)), () -> askNext(b, inRing));
    }

    private void askNext(CodeBuilder b, RingCursor inRing) {
        inRing.throttleParity().ifPresent(parity -> {
            b.comment("wait until the tile is so far that the next may be asked for");
            b.waitParity(NOTHING_HANDED_OVER, throttleBarrier(b), parity);
            b.xor(parity, parity, 1);
        });
        PipelineState producer = ahead(b, inRing.next(), plan.prefetch() - 1);
        ring.waitEmpty(b, producer);
        source.reuse(b);
        source.ask(b, ring, producer, inRing.flight().flatMap(RingCursor.Flight::exhausted));
    }

    /**
     * The scheduler reads every answer, so that its state as a producer follows from its state as a reader: one phase
     * ahead, and as many slots as there are answers between.
     *
     * @param slots between the one that the scheduler reads next and the one that takes the answer
     */
    private static PipelineState ahead(CodeBuilder b, PipelineState reader, int slots) {
        if (slots == 0) {
            return new PipelineState(reader.slots(), b.mov(reader.slot()), b.xor(reader.parity(), 1));
        }
        Reg<B32> slot = b.add(reader.slot(), slots);
        Reg<B32> parity = b.xor(reader.parity(), 1);
        Reg<Pred> wraps = b.ge(slot, reader.slots());
        b.guarded(wraps, g -> {
            g.sub(slot, slot, reader.slots());
            g.xor(parity, parity, 1);
        });
        return new PipelineState(reader.slots(), slot, parity);
    }

    @Override
    public void reached(CodeBuilder b, Throttle point) {
        if (plan.throttle() == point) {
            Mbarrier.Arrive arrive = new Mbarrier.Arrive(NOTHING_HANDED_OVER, throttleBarrier(b), Optional.empty());
            if (cluster.size() == 1) {
                b.with(arrive);
            } else {
                b.guarded(b.eq(cluster.rank(b), 0), g -> g.with(arrive));
            }
        }
    }

    private SharedAddress throttleBarrier(CodeBuilder b) {
        return ring.throttle().orElseThrow().barrier(b, 0);
    }

    @Override
    public void advance(CodeBuilder b, TileCursor cursor) {
        boolean notes = cursor.reader().kind() == TileReader.Kind.SCHEDULER;
        Optional<Note> note = failures.filter(noted -> notes).map(noted -> new Note(noted, b.mov(cursor.tile())));
        Optional<RingCursor.Flight> inFlight = cursor.ring().orElseThrow().flight();
        if (inFlight.isPresent()) {
            readUntilTile(b, cursor, inFlight.get(), note);
            return;
        }
        read(b, cursor, note);
        cursor.reader()
                .alternation()
                .ifPresent(other -> b.ifThen(cursor.hasWork(), own -> {
                    other.pass(own, cursor.tile());
                    read(own, cursor, note);
                }));
    }

    /** Takes note that an answer failed after a tile. */
    private record Note(BiConsumer<CodeBuilder, Reg<B32>> failures, Reg<B32> tile) {
        void failed(CodeBuilder b) {
            failures.accept(b, tile);
        }
    }

    @Override
    public void drain(CodeBuilder b, TileCursor cursor) {
        if (cluster.size() == 1) {
            return;
        }
        b.comment("scheduler: the end, when every slot was handed back");
        PipelineState next = cursor.ring().orElseThrow().next();
        ring.waitEmpty(b, ahead(b, next, 0));
        for (int slot = 1; slot < next.slots(); slot++) {
            next.advance(b);
            ring.waitEmpty(b, ahead(b, next, 0));
        }
    }

    private void readUntilTile(CodeBuilder b, TileCursor cursor, RingCursor.Flight flight, Optional<Note> note) {
        Reg<Pred> found = cursor.hasWork();
        // There was a tile: where failures are for good, nothing has failed yet.
        Reg<B32> outstanding = flight.outstanding();
        flight.failed()
                .ifPresentOrElse(
                        failed -> b.guardedNot(failed, g -> g.add(outstanding, outstanding, 1)),
                        () -> b.add(outstanding, outstanding, 1));
        b.clear(found);
        b.whileLoop("answer", w -> w.andPred(w.ne(outstanding, 0), w.notPred(found)), (w, loop) -> {
            read(w, cursor, note);
            w.sub(outstanding, outstanding, 1);
            flight.failed().ifPresent(failed -> w.orPred(failed, failed, w.notPred(found)));
        });
    }

    /** Reads the next record into the cursor and hands its slot back. */
    private void read(CodeBuilder b, TileCursor cursor, Optional<Note> note) {
        RingCursor inRing = cursor.ring().orElseThrow();
        PipelineState next = inRing.next();
        if (cursor.reader().kind() == TileReader.Kind.SCHEDULER) {
            source.release(b, ring, next, inRing.flight().flatMap(RingCursor.Flight::exhausted));
        }
        ring.waitFull(b, next);
        Optional<Reg<B32>> tile = cursor.reader().toldWhich() ? Optional.of(cursor.tile()) : Optional.empty();
        source.decode(b, ring, next, tile, cursor.hasWork());
        source.endRead(b);
        ring.handBack(b, next, cursor.reader().kind());
        note.ifPresent(noted -> b.ifNot(cursor.hasWork(), noted::failed));
    }
}
