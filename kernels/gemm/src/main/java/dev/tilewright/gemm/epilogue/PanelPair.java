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
 * The two panels in shared memory through which one warpgroup stores its tiles in turn. The stores of a tile run on
 * while the next one is multiplied.
 *
 * <pre>
 *   all threads   write a panel, proxy fence
 *   thread 0      wait until the stores so far have read: the other panel is free
 *   all threads   named barrier
 *   thread 0      TMA store of the panel, commit
 * </pre>
 *
 * The barrier says two things at once: this panel is written, and the next may be. With an even number of panels to a
 * tile that holds from tile to tile. With an odd number a tile begins with the panel that the one before ended with, so
 * that it begins with a wait and a barrier of its own. Waits are left out where no store can be under way.
 *
 * <p>A wait is for the stores of the thread that executes it: those of thread 0; the others have none.
 *
 * @param issues whether this is thread 0 of the warpgroup
 * @param count panels of a tile
 * @param several whether the warpgroup stores more than one tile
 */
record PanelPair(SharedRegion panels, Reg<Pred> issues, int count, boolean several) {

    static final int PANELS = 2;

    private static final int WARPGROUP_THREADS = 128;
    private static final int BARRIER = 1;

    /** Before the first panel of a tile is written. */
    void begin(CodeBuilder b) {
        if (several && count % PANELS != 0) {
            b.bulkWaitGroupRead(0);
            b.barrierSync(BARRIER, WARPGROUP_THREADS);
        }
    }

    /** Offset of a panel from the start of the dynamic shared memory; panels of a tile count from 0. */
    int offset(int panel) {
        return panels.offset() + inRegion(panel);
    }

    private int inRegion(int panel) {
        return panel % PANELS * (panels.bytes() / PANELS);
    }

    /** All threads, after they have written a panel: it may be stored, and the next one written. */
    void publish(CodeBuilder b, int panel) {
        b.fenceProxyAsyncShared();
        boolean fromTileToTile = several && count % PANELS == 0;
        boolean insideTile = panel > 0 && panel < count - 1;
        if (fromTileToTile || insideTile) {
            b.bulkWaitGroupRead(0);
        }
        b.barrierSync(BARRIER, WARPGROUP_THREADS);
    }

    /** @param storing whether this thread stores it: thread 0, unless the tile is padding */
    void store(CodeBuilder b, int panel, GenericAddress map, Reg<B32> column, Reg<B32> row, Reg<Pred> storing) {
        SharedAddress source = panels.at(b, inRegion(panel));
        b.guarded(storing, g -> {
            g.tmaStore(map, List.of(column, row), source);
            g.bulkCommitGroup();
        });
    }

    /** Waits until every panel was read, so that the CTA may end. */
    void drain(CodeBuilder b) {
        b.bulkWaitGroupRead(0);
    }
}
