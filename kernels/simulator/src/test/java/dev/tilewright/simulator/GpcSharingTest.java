package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.space.raster.RasterOrder;
import org.junit.jupiter.api.Test;

class GpcSharingTest {

    /** Eight tiles of a row of eight read the same rows of A, and columns of B each for itself. */
    @Test
    void tilesOfOneRowShareTheRow() {
        GpcSharing sharing = GpcSharing.of(RasterOrder.ALONG_N.raster(12, 8, 1), 64, 8);
        assertThat(sharing).isEqualTo(new GpcSharing(7 / 8.0, 0));
    }

    /** Rows of six: eight tiles are of two, or three, and of all columns. The last GPC has two tiles. */
    @Test
    void tilesOfSeveralRowsShareBoth() {
        GpcSharing sharing = GpcSharing.of(RasterOrder.ALONG_N.raster(3, 6, 1), 18, 8);
        assertThat(sharing).isEqualTo(new GpcSharing(1 - (2 + 2 + 1) / 18.0, 1 - (6 + 6 + 2) / 18.0));
    }
}
