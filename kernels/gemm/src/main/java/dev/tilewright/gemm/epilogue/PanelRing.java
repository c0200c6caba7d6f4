package dev.tilewright.gemm.epilogue;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;
import java.util.Optional;

/**
 * The panels through which a warpgroup stores its tiles, a ring in shared memory of its own. The stores of a tile run
 * on while the next one is multiplied.
 *
 * <pre>
 *   all threads   write panel p, proxy fence
 *   thread 0      wait until the store that used the next panel has read it
 *   all threads   named barrier
 *   thread 0      TMA store of panel p, commit
 * </pre>
 *
 * The barrier says two things at once: panel p is written, and the panel after it may be.
 *
 * @param region of all warpgroups
 * @param panels of the ring, at least 2
 * @param base start of the dynamic shared memory, shifted to the panels of this warpgroup
 * @param issues whether this is thread 0 of the warpgroup
 * @param waits the thread that waits for stores; absent if all threads execute the wait, of which the others have none
 * @param barrier of the warpgroup
 * @param tiles how a tile follows the one before
 */
record PanelRing(
        SharedRegion region,
        int panels,
        int panelBytes,
        Reg<B32> base,
        Reg<Pred> issues,
        Optional<Reg<Pred>> waits,
        WarpgroupBarrier barrier,
        Tiles tiles) {

    /** How a tile follows the one before. */
    enum Tiles {
        /** Each begins with the first panel: the stores of the one before are awaited, and the warpgroup meets. */
        BEGIN_ANEW,
        /** Each has as many panels as the ring, or a multiple: the barrier of the last says that the first is free. */
        FOLLOW_ON,
        /** There is one. */
        ALONE
    }

    /** Before the first panel of a tile is written. */
    void begin(CodeBuilder b) {
        if (tiles == Tiles.BEGIN_ANEW) {
            awaitStores(b, 0);
            barrier.synchronize(b);
        }
    }

    /** All threads learn what thread 0 has in the register, by the first panel, which is free between tiles. */
    Reg<B32> tell(CodeBuilder b, Reg<B32> word) {
        SharedAddress place = new SharedAddress(base, offset(0));
        b.guarded(issues, g -> {
            awaitReads(g, 0);
            g.st32(place, word);
        });
        barrier.synchronize(b);
        return b.ld32(place);
    }

    /** Offset of a panel from {@link #base}; panels of a tile count from 0. */
    int offset(int panel) {
        return region.offset() + panel % panels * panelBytes;
    }

    /**
     * All threads, after they have written a panel: it may be stored, and the next one written.
     *
     * @param last whether the tile has no other: then its store waits for none before it, unless tiles follow on
     */
    void publish(CodeBuilder b, int panel, boolean last) {
        b.fenceProxyAsyncShared();
        boolean nextWasUsed = tiles == Tiles.FOLLOW_ON || !last && panel + 1 >= panels;
        if (nextWasUsed) {
            awaitStores(b, panels - 2);
        }
        barrier.synchronize(b);
    }

    /**
     * Stores a panel.
     *
     * @param place in D, column and row
     * @param storing whether this thread stores it: thread 0, unless the tile is padding
     */
    void store(CodeBuilder b, int panel, GenericAddress map, List<Reg<B32>> place, Reg<Pred> storing) {
        SharedAddress source = new SharedAddress(base, offset(panel));
        b.guarded(storing, g -> {
            g.tmaStore(map, place, source);
            g.bulkCommitGroup();
        });
    }

    /** Waits until every panel was read, so that the CTA may end. */
    void drain(CodeBuilder b) {
        awaitStores(b, 0);
    }

    /** Waits, if this thread does, until no more than so many stores have a panel still to read. */
    private void awaitStores(CodeBuilder b, int pending) {
        waits.ifPresentOrElse(thread -> b.guarded(thread, g -> awaitReads(g, pending)), () -> awaitReads(b, pending));
    }

    private static void awaitReads(CodeBuilder b, int pending) {
        b.comment("wait until all but " + pending + " of the stores have read their panels");
        b.bulkWaitGroupRead(pending);
    }
}
