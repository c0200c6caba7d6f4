package dev.tilewright.space.sm90;

/**
 * The part of a tile that one warpgroup multiplies. Warpgroups that share a tile do so by rows: each reads all columns,
 * and a row is read once. Where two of them cannot halve the rows, as of 192, they halve the columns: a tile of 192
 * rows and more columns than an instruction of three warpgroups has registers for at the entry. Rows and columns are
 * those of instructions: of the transposed output where A and B are swapped.
 *
 * @param rows 64 or more, a multiple of 64
 * @param columns a multiple of 8
 */
public record WarpgroupTile(int rows, int columns) {

    /** Warpgroups that can share a tile by columns. */
    private static final int HALVES = 2;

    /**
     * @param sharers warpgroups that multiply for one tile
     * @param rows of the tile, along those of an instruction
     * @param columns likewise
     */
    static WarpgroupTile of(int sharers, int rows, int columns) {
        return byColumns(sharers, rows)
                ? new WarpgroupTile(rows, columns / HALVES)
                : new WarpgroupTile(rows / sharers, columns);
    }

    /** Whether so many warpgroups can share so many rows, or if they are two the columns. */
    static boolean canShare(int sharers, int rows) {
        return rows % rowUnit(sharers) == 0;
    }

    /** Rows that so many warpgroups can share come in multiples of this. */
    static int rowUnit(int sharers) {
        return sharers == HALVES ? Sm90Config.MMA_ROWS : Sm90Config.MMA_ROWS * sharers;
    }

    /** Whether so many warpgroups that can share so many rows have all of them each. */
    static boolean byColumns(int sharers, int rows) {
        return sharers == HALVES && !byRows(sharers, rows);
    }

    private static boolean byRows(int sharers, int rows) {
        return rows % (Sm90Config.MMA_ROWS * sharers) == 0;
    }

    /** wgmma instructions one below the other. */
    public int mmaDown() {
        return rows / Sm90Config.MMA_ROWS;
    }

    /** wgmma instructions side by side. */
    public int mmaAcross() {
        return columns <= Sm90Config.MAX_MMA_COLUMNS ? 1 : 2;
    }

    /** Columns of one wgmma. */
    public int mmaColumns() {
        return columns / mmaAcross();
    }
}
