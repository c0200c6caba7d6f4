package dev.tilewright.gemm.epilogue;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;

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
 * The barrier says two things at once: panel p is written, and the panel after it may be. The last panel of a tile has
 * none after it: its store does not wait for the one before.
 *
 * @param region of all warpgroups
 * @param panels of the ring, at least 2
 * @param base start of the dynamic shared memory, shifted to the panels of this warpgroup
 * @param issues whether this is thread 0 of the warpgroup
 * @param barrier of the warpgroup
 */
record PanelRing(
        SharedRegion region, int panels, int panelBytes, Reg<B32> base, Reg<Pred> issues, WarpgroupBarrier barrier) {

    /** Before the first panel of a tile is written. */
    void begin(CodeBuilder b) {
        b.guarded(issues, g -> g.bulkWaitGroupRead(0));
        barrier.synchronize(b);
    }

    /** All threads learn what thread 0 has in the register, by the first panel, which is free between tiles. */
    Reg<B32> tell(CodeBuilder b, Reg<B32> word) {
        SharedAddress place = new SharedAddress(base, offset(0));
        b.guarded(issues, g -> {
            g.bulkWaitGroupRead(0);
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
     * All threads, after they have written a panel: it may be stored, and the next one of the tile written.
     *
     * @param last whether the tile has no other: then nobody waits, and the panel is stored at once
     */
    void publish(CodeBuilder b, int panel, boolean last) {
        b.fenceProxyAsyncShared();
        if (!last && panel + 1 >= panels) {
            b.guarded(issues, g -> g.bulkWaitGroupRead(panels - 2));
        }
        barrier.synchronize(b);
    }

    /**
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
        b.guarded(issues, g -> g.bulkWaitGroupRead(0));
    }
}
