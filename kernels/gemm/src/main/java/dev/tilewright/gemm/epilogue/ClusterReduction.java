package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.kernel.TileWalk;
import dev.tilewright.gemm.mainloop.Warpgroup;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.space.sm90.Sm90Config;
import java.util.List;
import java.util.Optional;

/**
 * Adds up a tile whose P parts of K were multiplied by the CTAs of a cluster, through distributed shared memory. Panel
 * p of warpgroup w, of L panels each, belongs to part (w L + p) mod P. Each part sends the accumulators of all panels
 * but its own to their owners. An owner adds up its panels and stores them, so that all parts share the epilogue.
 *
 * <pre>
 *   all threads   wait until the owners have read what was sent for the tile before (free; not where a CTA has one tile)
 *   all threads   st.async the accumulators of the others' panels into the room of their owners
 *   owner         thread 0 announces the bytes of a panel; all threads wait for them (arrived)
 *   owner         all threads add the sums of the next parts to their own, once around, and store the panel
 *   owner         threads 0..P-1 arrive at the free barrier of each part
 * </pre>
 *
 * The order of the sums depends on the panel alone. An owner ends when all sums have come. A part that is sent free
 * arrivals stays for those of its last tile: see {@link #drain}.
 */
public final class ClusterReduction implements Reduction {

    private static final Ordering ACQUIRE = Ordering.acquire(Scope.CLUSTER);
    private static final int VECTOR = 4;

    private final Sm90Config config;
    private final ClusterSums sums;
    private final ClusterPlace cluster;
    private final TmaStoreEpilogue epilogue;
    private final Warpgroup own;
    private final List<TilePanel> panels;

    /** Parity of the sums of the next tile; absent if a CTA has one tile. */
    private final Optional<Reg<B32>> parity;

    /** @param epilogue of the warpgroup */
    public ClusterReduction(
            CodeBuilder b,
            Sm90Config config,
            ClusterSums sums,
            ClusterPlace cluster,
            TmaStoreEpilogue epilogue,
            Warpgroup own) {
        this.config = config;
        this.sums = sums;
        this.cluster = cluster;
        this.epilogue = epilogue;
        this.own = own;
        panels = TilePanel.of(config);
        parity = sums.free().map(_ -> b.b32("sumsParity", 0));
    }

    @Override
    public void store(CodeBuilder b, TileWalk.Found found, List<Reg<F32>> accumulators) {
        Reg<B32> place = place(b);
        sums.free().ifPresent(free -> {
            b.comment("reduction: wait until the owners have read the sums of the tile before");
            awaitFree(b, free);
        });
        b.comment("reduction: the sums of the others' panels go to their owners");
        Reg<B32> room = sums.ofThread(b, own.index(), own.thread());
        SharedAddress arrived = sums.arrivedOf(b, own.index());
        for (int owner = 0; owner < config.split().owners(); owner++) {
            int to = owner;
            b.ifThen(b.ne(place, to), other -> send(other, place, to, room, arrived, accumulators));
        }
        PanelSums ofOwned = (w, panel, values, store) -> w.ifThen(w.eq(place, owner(panel)), a -> {
            receive(a, panel, values, room, arrived);
            store.accept(a);
        });
        epilogue.store(b, found, accumulators, Optional.of(ofOwned));
        sums.free().ifPresent(free -> release(b, free, place));
        parity.ifPresent(now -> b.xor(now, now, Immediate.b32(1)));
    }

    /** Waits until nobody arrives at the barriers of this CTA any more, so that it may end; behind the last tile. */
    @Override
    public void drain(CodeBuilder b) {
        sums.free().ifPresent(free -> {
            b.comment("reduction: the end, when the owners have read the sums of the last tile");
            awaitFree(b, free);
        });
    }

    /** The part, counted from the owner of the first panel of the warpgroup on. */
    private Reg<B32> place(CodeBuilder b) {
        Operand<B32> part = cluster.part(b);
        Operand<B32> place = ahead() == 0 ? part : b.sub(part, b.mulLo(own.index(), ahead()));
        return b.and(place, cluster.parts() - 1L);
    }

    /** The rank of a place, which is a constant. */
    private Operand<B32> rank(CodeBuilder b, int place) {
        Reg<B32> part = ahead() == 0
                ? b.mov(Immediate.b32(place))
                : b.and(b.mad(own.index(), Immediate.b32(ahead()), Immediate.b32(place)), cluster.parts() - 1L);
        return cluster.rankOfPart(b, part);
    }

    /** Parts by which the first owner of a warpgroup is ahead of that of the warpgroup before; 0 if all have one. */
    private int ahead() {
        return config.multiply().consumers() == 1 ? 0 : panels.size() % cluster.parts();
    }

    private int owner(TilePanel panel) {
        return panel.index() % cluster.parts();
    }

    /** The number of a panel among those of its owner. */
    private int number(TilePanel panel) {
        return panel.index() / cluster.parts();
    }

    /** The parity is that of the phase before: the first tile passes at once. */
    private void awaitFree(CodeBuilder b, SharedRegion free) {
        Reg<B32> before = b.xor(parity.orElseThrow(), Immediate.b32(1));
        b.waitParity(ACQUIRE, ClusterSums.freeOf(b, free, own.index()), before);
    }

    private void send(
            CodeBuilder b,
            Reg<B32> place,
            int owner,
            Reg<B32> room,
            SharedAddress arrived,
            List<Reg<F32>> accumulators) {
        Operand<B32> rank = rank(b, owner);
        Reg<B32> between = b.and(b.sub(place, owner + 1L), cluster.parts() - 1L);
        ClusterAddress to = b.mapToRank(b.mad(between, Immediate.b32(sums.partBytes()), room), rank);
        ClusterAddress barrier = b.mapToRank(b.add(arrived.base(), arrived.offset()), rank);
        panels.stream().filter(panel -> owner(panel) == owner).forEach(panel -> {
            List<Reg<F32>> values = panel.in(accumulators);
            ClusterAddress counted = barrier.plus(number(panel) * SharedRegion.BARRIER_BYTES);
            for (int first = 0; first < values.size(); first += VECTOR) {
                b.stAsyncF32(to.plus(offset(panel, first)), values.subList(first, first + VECTOR), counted);
            }
        });
    }

    /** Offset of sums of a panel in the room for a part, of the thread whose first ones it begins with. */
    private int offset(TilePanel panel, int firstSum) {
        return number(panel) * config.split().panelSumsBytes() + firstSum / VECTOR * ClusterSums.NEXT_VECTOR;
    }

    private void receive(CodeBuilder b, TilePanel panel, List<Reg<F32>> values, Reg<B32> room, SharedAddress arrived) {
        b.comment("reduction: the sums of the other parts of panel " + panel.index());
        SharedAddress barrier = arrived.plus(number(panel) * SharedRegion.BARRIER_BYTES);
        int others = cluster.parts() - 1;
        int bytes = others * Sm90Config.MMA_ROWS * panel.columns() * Float.BYTES;
        Reg<Pred> announces = b.eq(own.thread(), 0);
        b.ifThen(announces, one -> one.mbarrierArriveExpectTx(barrier, bytes));
        b.waitParity(ACQUIRE, barrier, parity.<Operand<B32>>map(now -> now).orElse(Immediate.b32(0)));
        for (int other = 0; other < others; other++) {
            for (int first = 0; first < values.size(); first += VECTOR) {
                List<Reg<F32>> received = List.of(b.f32(), b.f32(), b.f32(), b.f32());
                b.ldVector(
                        ScalarType.F32,
                        received,
                        new SharedAddress(room, other * sums.partBytes() + offset(panel, first)));
                for (int i = 0; i < VECTOR; i++) {
                    Reg<F32> sum = values.get(first + i);
                    b.fadd(sum, sum, received.get(i));
                }
            }
        }
    }

    /** The barrier of the last panel's store stands between the reads of all threads and these arrivals. */
    private void release(CodeBuilder b, SharedRegion free, Reg<B32> place) {
        b.comment("reduction: all that was sent here has been read");
        Reg<Pred> owns = b.lt(place, Immediate.b32(config.split().owners()));
        b.ifThen(b.andPred(owns, b.lt(own.thread(), cluster.parts())), one -> {
            SharedAddress barrier = ClusterSums.freeOf(one, free, own.index());
            Reg<B32> address = one.add(barrier.base(), barrier.offset());
            one.mbarrierArrive(
                    Ordering.release(Scope.CLUSTER), one.mapToRank(address, cluster.rankOfPart(one, own.thread())), 1);
        });
    }
}
