package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.kernel.TileWalk;
import dev.tilewright.gemm.mainloop.Warpgroup;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.space.sm90.Sm90Config;
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
    private final OutputPanels output;
    private final TileWalk walk;
    private final EpilogueSteps steps;
    private final Warpgroup own;
    private final PanelRing ring;
    private final PanelWriter writer;

    /** Declares the panels of all warpgroups. */
    public static SharedRegion declare(EntryBuilder entry, Sm90Config config) {
        return entry.shared(
                "panels",
                config.multiply().consumers()
                        * config.epilogue().stages()
                        * config.epilogue().panelBytes(),
                ALIGNMENT);
    }

    /**
     * Prepares what does not change from tile to tile.
     *
     * @param walk of the role, by which it moves D: by the map of all panels, and that of the last one if it is
     *     narrower
     * @param steps what is done to the sums before they are stored
     */
    public TmaStoreEpilogue(
            CodeBuilder b, Sm90Config config, SharedRegion panels, TileWalk walk, EpilogueSteps steps, Warpgroup own) {
        this.config = config;
        this.walk = walk;
        this.own = own;
        this.steps = steps.prepared(b);
        output = new OutputPanels(config);
        Reg<Pred> issues = b.eq(own.thread(), 0);
        SharedAddress first = panels.element(
                b, own.index(), config.epilogue().stages() * config.epilogue().panelBytes());
        ring = new PanelRing(
                panels,
                config.epilogue().stages(),
                config.epilogue().panelBytes(),
                first.base(),
                issues,
                Optional.of(issues),
                barrier(),
                PanelRing.Tiles.BEGIN_ANEW);
        writer = output.writer(b, ring.base(), own.thread());
    }

    /** The barrier of the warpgroup. */
    WarpgroupBarrier barrier() {
        return new WarpgroupBarrier(config.multiply().consumers(), Optional.of(own.index()));
    }

    /**
     * Stores what the warpgroup has of a tile. The stores of a padding tile are left out, its barriers are not.
     *
     * @param values sums of the first 64 rows, then of the next
     * @param sums where others add up some of the panels
     */
    void store(CodeBuilder b, TileWalk.Found tile, List<Reg<F32>> values, Optional<PanelSums> sums) {
        OperandRole rows = config.multiply().rowOperand();
        b.comment("epilogue: the sums go to D, panel by panel");
        Reg<Pred> holdsOutput = walk.holdsOutput(b, tile);
        Reg<B32> row =
                b.mad(tile.place().along(rows), Immediate.b32(config.multiply().tileRows()), own.row());
        List<GenericAddress> maps = walk.maps(b, tile, Optional.of(ring.issues()));
        Reg<B32> column = own.columnOf(
                b, b.mulLo(tile.place().along(rows.other()), config.multiply().tileColumns()));
        TileSteps stepsOfTile = steps.of(b, tile.gemm());
        Reg<Pred> storing = b.andPred(ring.issues(), holdsOutput);
        if (sums.isEmpty()) {
            ring.begin(b);
        }
        List<TilePanel> panels = TilePanel.of(config);
        for (TilePanel panel : panels) {
            List<Reg<F32>> ofPanel = panel.in(values);
            Consumer<CodeBuilder> store = w -> {
                w.comment("epilogue: panel " + panel.index() + " of " + panels.size());
                Fragment fragment = output.fragment(own, panel, ofPanel, row, column);
                writer.write(w, stepsOfTile.apply(w, fragment), ring.offset(panel.index()));
                ring.publish(w, panel.index(), panel == panels.getLast());
                Reg<B32> left = panel.firstColumn() == 0 ? column : w.add(column, (long) panel.firstColumn());
                Reg<B32> top = panel.firstRow() == 0 ? row : w.add(row, (long) panel.firstRow());
                GenericAddress map = panel.columns() == config.epilogue().panelN() ? maps.getFirst() : maps.getLast();
                ring.store(w, panel.index(), map, output.coordinates(top, left), storing);
            };
            // The ring does not know which panels are left out: each of the others begins anew.
            sums.ifPresentOrElse(
                    s -> s.ofPanel(b, panel, ofPanel, w -> {
                        ring.begin(w);
                        store.accept(w);
                    }),
                    () -> store.accept(b));
        }
    }

    /** Stores tiles that are not split: their sums are complete. */
    public Reduction ofWholeTiles() {
        return (b, tile, sums) -> store(b, tile, sums, Optional.empty());
    }

    /** All threads of the warpgroup learn what its thread 0 has in the register; between tiles. */
    Reg<B32> tell(CodeBuilder b, Reg<B32> word) {
        return ring.tell(b, word);
    }

    /** Waits until every panel was read, so that the CTA may end. */
    public void drain(CodeBuilder b) {
        ring.drain(b);
    }
}
