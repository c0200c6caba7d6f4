package dev.tilewright.space.raster;

/**
 * A raster order in bands, reduced to two numbers, as the kernel gets it: the extent of a band, and along which
 * dimension it runs. With D1 the banded dimension, D2 the other, G the group:
 *
 * <pre>
 *   g = t / (G*D2)   band            s = min(D1 - g*G, G)   extent of this band (the last may be narrower)
 *   r = t - g*G*D2   index in it     a = g*G + r mod s      along D1, fastest
 *                                    b = r / s              along D2
 * </pre>
 *
 * @param tilesM rows of cluster tiles
 * @param tilesN columns of cluster tiles
 * @param group extent of a band, 1..D1
 * @param alongN whether D1 is N
 */
public record Raster(int tilesM, int tilesN, int group, boolean alongN) {

    /** Row and column of a cluster tile. */
    public record Place(int m, int n) {}

    public Raster {
        int banded = alongN ? tilesN : tilesM;
        if (group < 1 || group > banded) {
            throw new IllegalArgumentException("a raster group is 1.." + banded + " cluster tiles, got " + group);
        }
    }

    /** How many cluster tiles there are. */
    public int tiles() {
        return Math.multiplyExact(tilesM, tilesN);
    }

    /** Tiles of a whole band. */
    public int bandTiles() {
        return group * (alongN ? tilesM : tilesN);
    }

    /** The number of the last band, from 0. */
    public int lastBand() {
        return (banded() - 1) / group;
    }

    /** The extent of a band: that of the last may be smaller than the group. */
    public int extent(int band) {
        return Math.min(banded() - band * group, group);
    }

    private int banded() {
        return alongN ? tilesN : tilesM;
    }

    /**
     * Whether a tile and the one after it mostly lie in one row, and so share rows of A; otherwise they share rows of
     * B.
     */
    public boolean neighboursShareA() {
        return alongN ? group > 1 : group == 1;
    }

    /**
     * The coordinates of a linear cluster tile, by the arithmetic that kernels do on unsigned 32-bit numbers.
     *
     * @param tile 0 up to {@link #tiles()}, exclusive
     */
    public Place place(int tile) {
        int band = tile / bandTiles();
        int rest = tile - band * bandTiles();
        int extent = extent(band);
        int across = rest / extent;
        int along = band * group + (rest - across * extent);
        return alongN ? new Place(across, along) : new Place(along, across);
    }
}
