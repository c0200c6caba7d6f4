package dev.tilewright.gemm.epilogue;

import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.space.sm90.Sm90Config;
import dev.tilewright.space.sm90.WarpgroupTile;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of what a warpgroup has of a tile, stored at once: the rows of one instruction, and {@code epilogueN} columns,
 * or what is left of them.
 *
 * @param index among the panels of the warpgroup; those of the first rows come first
 * @param firstRow in what the warpgroup has of the tile
 * @param firstColumn likewise
 * @param firstAccumulator among those of a thread
 */
public record TilePanel(int index, int firstRow, int firstColumn, int columns, int firstAccumulator) {

    /** The panels of a warpgroup, in order. */
    static List<TilePanel> of(Sm90Config config) {
        WarpgroupTile tile = config.multiply().warpgroupTile();
        List<TilePanel> panels = new ArrayList<>();
        for (int row = 0; row < tile.rows(); row += Sm90Config.MMA_ROWS) {
            for (int column = 0;
                    column < tile.columns();
                    column += config.epilogue().panelN()) {
                int columns = Math.min(config.epilogue().panelN(), tile.columns() - column);
                int before = (row / Sm90Config.MMA_ROWS * tile.columns() + column) / 2;
                panels.add(new TilePanel(panels.size(), row, column, columns, before));
            }
        }
        return panels;
    }

    /** Its accumulators, of those of the tile. */
    List<Reg<F32>> in(List<Reg<F32>> accumulators) {
        return accumulators.subList(firstAccumulator, firstAccumulator + columns / 2);
    }
}
