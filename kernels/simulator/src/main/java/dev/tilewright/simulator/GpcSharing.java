package dev.tilewright.simulator;

import dev.tilewright.model.raster.Raster;
import java.util.stream.IntStream;

/**
 * What clusters of one GPC have in common that take tiles which follow each other, of a first wave.
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
        double rows = 0;
        double columns = 0;
        for (int first = 0; first < tiles; first += together) {
            int end = Math.min(tiles, first + together);
            rows += IntStream.range(first, end)
                    .map(tile -> raster.place(tile).m())
                    .distinct()
                    .count();
            columns += IntStream.range(first, end)
                    .map(tile -> raster.place(tile).n())
                    .distinct()
                    .count();
        }
        return new GpcSharing(1 - rows / tiles, 1 - columns / tiles);
    }
}
