package dev.tilewright.space.raster;

/** A raster order over a grid of cluster tiles. */
public sealed interface Raster permits BandRaster, HilbertRaster {

    /** Row and column of a cluster tile. */
    record Place(int m, int n) {}

    /** Rows of cluster tiles. */
    int tilesM();

    /** Columns of cluster tiles. */
    int tilesN();

    /** How many cluster tiles there are. */
    default int tiles() {
        return Math.multiplyExact(tilesM(), tilesN());
    }

    /**
     * Whether a tile and the one after it mostly lie in one row, and so share rows of A; otherwise they share rows of
     * B.
     */
    boolean neighboursShareA();

    /**
     * Where the linear cluster tile lies.
     *
     * @param tile 0 up to {@link #tiles()}, exclusive
     */
    Place place(int tile);
}
