package dev.tilewright.simulator;

/**
 * A raster order over one grid of cluster tiles: bands of {@code group} along the banded dimension, inside a band that
 * dimension fastest.
 *
 * @param tilesM rows of cluster tiles
 * @param tilesN columns of cluster tiles
 * @param group extent of a band, at most that of the banded dimension
 * @param alongN whether the banded dimension is N
 */
record Raster(int tilesM, int tilesN, int group, boolean alongN) {

    /** Row and column of a cluster tile. */
    record Place(int m, int n) {}

    int tiles() {
        return Math.multiplyExact(tilesM, tilesN);
    }

    /** Where the cluster tile with this number lies, 0 up to {@link #tiles()}. */
    Place place(int tile) {
        int banded = alongN ? tilesN : tilesM;
        int other = alongN ? tilesM : tilesN;
        int band = tile / (group * other);
        int rest = tile - band * group * other;
        int extent = Math.min(banded - band * group, group);
        int along = band * group + rest % extent;
        int across = rest / extent;
        return alongN ? new Place(across, along) : new Place(along, across);
    }

    /**
     * Whether a tile and the one after it mostly lie in one row, and so share rows of A; otherwise they share rows of
     * B.
     */
    boolean neighboursShareA() {
        return alongN ? group > 1 : group == 1;
    }
}
