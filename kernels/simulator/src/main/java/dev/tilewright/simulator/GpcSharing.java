package dev.tilewright.simulator;

import dev.tilewright.space.raster.Raster;
import java.util.BitSet;

/**
 * Data that clusters of one GPC share if they take tiles which follow each other, in a first wave.
 *
 * @param rows part of the cluster tiles whose rows of A another one of the GPC reads for them
 * @param columns likewise of B
 */
record GpcSharing(double rows, double columns) {

    /**
     * Of a raster.
     *
     * @param tiles of the wave
     * @param together clusters of a GPC that take tiles which follow each other
     */
    static GpcSharing of(Raster raster, int tiles, int together) {
        int rows = 0;
        int columns = 0;
        BitSet m = new BitSet(raster.tilesM());
        BitSet n = new BitSet(raster.tilesN());
        for (int tile = 0; tile < tiles; tile++) {
            Raster.Place coordinates = raster.place(tile);
            m.set(coordinates.m());
            n.set(coordinates.n());
            if ((tile + 1) % together == 0 || tile == tiles - 1) {
                rows += m.cardinality();
                columns += n.cardinality();
                m.clear();
                n.clear();
            }
        }
        return new GpcSharing(1 - (double) rows / tiles, 1 - (double) columns / tiles);
    }
}
