package dev.tilewright.gemm.epilogue;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.space.family.Sm90Config;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Stores the accumulators of one warpgroup in the type of D, panel by panel: 64 rows of {@code epilogueN} columns,
 * through the {@link PanelRing} of the warpgroup's own.
 *
 * <p>Rows of a panel are swizzled over their own length, as the map of D expects it, so that a {@link PanelWriter}
 * meets no bank conflict. Where the width is no multiple of a panel the last one is narrower: its rows keep their pitch
 * and swizzle, and its own map has a narrower box.
 */
public final class TmaStoreEpilogue {

    private static final int ALIGNMENT = 1024;
    private final Sm90Config config;
    private final PanelRing ring;
    private final PanelWriter writer;
    private final Reg<B32> threadInWarpgroup;

    /** Declares the panels of all warpgroups. */
    public static SharedRegion declare(EntryBuilder entry, Sm90Config config) {
        return entry.shared("panels", config.consumers() * config.epilogueStages() * config.panelBytes(), ALIGNMENT);
    }

    /**
     * Prepares what does not change from tile to tile.
     *
     * @param warpgroup index among the consumers
     * @param threadInWarpgroup 0..127
     */
    public TmaStoreEpilogue(
            CodeBuilder b, Sm90Config config, SharedRegion panels, Reg<B32> warpgroup, Reg<B32> threadInWarpgroup) {
        this.config = config;
        this.threadInWarpgroup = threadInWarpgroup;
        Reg<Pred> issues = b.eq(threadInWarpgroup, 0);
        SharedAddress own = panels.element(b, warpgroup, config.epilogueStages() * config.panelBytes());
        ring = new PanelRing(
                panels,
                config.epilogueStages(),
                config.panelBytes(),
                own.base(),
                issues,
                new WarpgroupBarrier(config.consumers(), warpgroup));
        writer = config.swapAB()
                ? TransposedPanelWriter.of(b, config.operands().types().d(), ring.base(), threadInWarpgroup)
                : PanelWriter.of(b, config.operands().types().d(), config.epilogueN(), ring.base(), threadInWarpgroup);
    }

    /**
     * Stores a tile.
     *
     * @param accumulators of the first 64 rows, then of the next
     * @param row first row of the warpgroup in D; first column where A and B are swapped
     * @param column first column of the warpgroup in D; first row where A and B are swapped
     * @param inside whether the tile holds output; the stores of a padding tile are left out, its barriers are not
     * @param maps of D: box {@code epilogueN} x 64, 64 x {@code epilogueN} where A and B are swapped, and that of the
     *     last panel if it is narrower
     * @param sums where others add up some of the panels
     * @param steps what is done to the accumulators before they are stored
     */
    public void store(
            CodeBuilder b,
            List<Reg<F32>> accumulators,
            Reg<B32> row,
            Reg<B32> column,
            Reg<Pred> inside,
            List<GenericAddress> maps,
            Optional<PanelSums> sums,
            TileSteps steps) {
        Reg<Pred> storing = b.andPred(ring.issues(), inside);
        if (sums.isEmpty()) {
            ring.begin(b);
        }
        List<TilePanel> panels = TilePanel.of(config);
        for (TilePanel panel : panels) {
            List<Reg<F32>> values = panel.in(accumulators);
            Consumer<CodeBuilder> store = w -> {
                writer.write(w, steps.apply(w, fragment(panel, values, row, column)), ring.offset(panel.index()));
                ring.publish(w, panel.index(), panel == panels.getLast());
                Reg<B32> first = panel.firstColumn() == 0 ? column : w.add(column, (long) panel.firstColumn());
                Reg<B32> top = panel.firstRow() == 0 ? row : w.add(row, (long) panel.firstRow());
                ring.store(
                        w,
                        panel.index(),
                        panel.columns() == config.epilogueN() ? maps.getFirst() : maps.getLast(),
                        config.swapAB() ? List.of(top, first) : List.of(first, top),
                        storing);
            };
            // The ring does not know which panels are left out: each of the others begins anew.
            sums.ifPresentOrElse(
                    s -> s.ofPanel(b, panel, values, w -> {
                        ring.begin(w);
                        store.accept(w);
                    }),
                    () -> store.accept(b));
        }
    }

    /** All threads of the warpgroup learn what its thread 0 has in the register; between tiles. */
    Reg<B32> tell(CodeBuilder b, Reg<B32> word) {
        return ring.tell(b, word);
    }

    /** Whether this thread issues the stores. */
    public Reg<Pred> issues() {
        return ring.issues();
    }

    /** Waits until every panel was read, so that the CTA may end. */
    public void drain(CodeBuilder b) {
        ring.drain(b);
    }

    /**
     * A thread's accumulators of a panel, in the order of wgmma: pairs at columns 8 * i + 2 * (lane mod 4), for row
     * lane / 4 and for 8 rows below; each warp has 16 rows. Rows are columns of D where A and B are swapped.
     */
    private Fragment fragment(TilePanel panel, List<Reg<F32>> values, Reg<B32> row, Reg<B32> column) {
        Fragment.Line rows = new Fragment.Line(
                b -> {
                    Reg<B32> inWarp = b.shr(b.and(threadInWarpgroup, 31), 2);
                    Reg<B32> inPanel = b.add(b.shl(b.shr(threadInWarpgroup, 5), 4), inWarp);
                    return b.add(b.add(row, inPanel), panel.firstRow());
                },
                value -> value % 4 / 2 * 8);
        Fragment.Line columns = new Fragment.Line(
                b -> b.add(b.add(column, b.shl(b.and(threadInWarpgroup, 3), 1)), panel.firstColumn()),
                value -> value / 4 * 8 + value % 2);
        return config.swapAB() ? new Fragment(values, columns, rows) : new Fragment(values, rows, columns);
    }
}
