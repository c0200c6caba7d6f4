package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.space.Sm90Config;
import dev.tilewright.gemm.space.WarpgroupTile;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import java.util.List;
import java.util.Optional;

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
    private final Optional<Reg<F32>> scale;

    /** Declares the panels of all warpgroups. */
    public static SharedRegion declare(EntryBuilder entry, Sm90Config config) {
        return entry.shared("panels", config.consumers() * config.epilogueStages() * config.panelBytes(), ALIGNMENT);
    }

    /**
     * Prepares what does not change from tile to tile.
     *
     * @param warpgroup index among the consumers
     * @param threadInWarpgroup 0..127
     * @param scale what every accumulator is multiplied with, if anything
     */
    public TmaStoreEpilogue(
            CodeBuilder b,
            Sm90Config config,
            SharedRegion panels,
            Reg<B32> sharedBase,
            Reg<B32> warpgroup,
            Reg<B32> threadInWarpgroup,
            Optional<Reg<F32>> scale) {
        this.config = config;
        this.scale = scale;
        Reg<Pred> issues = b.eq(threadInWarpgroup, 0);
        Reg<B32> base = b.mad(warpgroup, Immediate.b32(config.epilogueStages() * config.panelBytes()), sharedBase);
        ring = new PanelRing(
                panels,
                config.epilogueStages(),
                config.panelBytes(),
                base,
                issues,
                new WarpgroupBarrier(config.consumers(), warpgroup));
        writer = PanelWriter.of(b, config.operands().d(), config.epilogueN(), ring.base(), threadInWarpgroup);
    }

    /**
     * Stores a tile.
     *
     * @param accumulators of the first 64 rows, then of the next
     * @param row first row of the warpgroup in D
     * @param column first column of the warpgroup in D
     * @param inside whether the tile holds output; the stores of a padding tile are left out, its barriers are not
     * @param maps of D: box {@code epilogueN} x 64, and that of the last panel if it is narrower
     */
    public void store(
            CodeBuilder b,
            List<Reg<F32>> accumulators,
            Reg<B32> row,
            Reg<B32> column,
            Reg<Pred> inside,
            List<GenericAddress> maps) {
        Reg<Pred> storing = b.andPred(ring.issues(), inside);
        ring.begin(b);
        WarpgroupTile tile = config.warpgroupTile();
        int panelsAcross = Math.ceilDiv(tile.columns(), config.epilogueN());
        int perMma = tile.columns() / 2;
        for (int mma = 0; mma < tile.mmaDown(); mma++) {
            Reg<B32> panelRow = mma == 0 ? row : b.add(row, (long) mma * Sm90Config.MMA_ROWS);
            for (int across = 0; across < panelsAcross; across++) {
                int panel = mma * panelsAcross + across;
                int firstColumn = across * config.epilogueN();
                int columns = Math.min(config.epilogueN(), tile.columns() - firstColumn);
                int firstAccumulator = mma * perMma + firstColumn / 2;
                List<Reg<F32>> values = accumulators.subList(firstAccumulator, firstAccumulator + columns / 2);
                writer.write(b, scaled(b, values), ring.offset(panel));
                ring.publish(b, panel);
                Reg<B32> panelColumn = across == 0 ? column : b.add(column, (long) firstColumn);
                GenericAddress target = columns == config.epilogueN() ? maps.getFirst() : maps.getLast();
                ring.store(b, panel, target, panelColumn, panelRow, storing);
            }
        }
    }

    /** Whether this thread issues the stores. */
    public Reg<Pred> issues() {
        return ring.issues();
    }

    /** Waits until every panel was read, so that the CTA may end. */
    public void drain(CodeBuilder b) {
        ring.drain(b);
    }

    private List<Reg<F32>> scaled(CodeBuilder b, List<Reg<F32>> values) {
        return scale.map(factor ->
                        values.stream().map(value -> b.fmul(value, factor)).toList())
                .orElse(values);
    }
}
