package dev.tilewright.space.raster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.testing.Between;
import dev.tilewright.testing.Draws;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RasterTest {

    @Draws
    void everyTileHasOnePlace(
            @Between(min = 1, max = 70) int tilesM,
            @Between(min = 1, max = 70) int tilesN,
            RasterOrder order,
            @Between(min = 1, max = 20) int group) {
        Raster raster = order.raster(tilesM, tilesN, group);
        Set<Raster.Place> places = new HashSet<>();
        for (int tile = 0; tile < raster.tiles(); tile++) {
            Raster.Place place = raster.place(tile);
            assertThat(place.m()).isBetween(0, tilesM - 1);
            assertThat(place.n()).isBetween(0, tilesN - 1);
            places.add(place);
        }
        assertThat(places).hasSize(tilesM * tilesN);
    }

    @Test
    void ordersAreWhatTheirNamesSay() {
        assertThat(places(RasterOrder.ALONG_M, 3, 2, 4)).containsExactly("00", "10", "20", "01", "11", "21");
        assertThat(places(RasterOrder.ALONG_N, 3, 2, 4)).containsExactly("00", "01", "10", "11", "20", "21");
        assertThat(places(RasterOrder.GROUPED_M, 3, 2, 2)).containsExactly("00", "10", "01", "11", "20", "21");
        assertThat(places(RasterOrder.GROUPED_N, 2, 3, 2)).containsExactly("00", "01", "10", "11", "02", "12");
    }

    @Test
    void aSquareOfFourByFourIsTheCurveOfTheBooks() {
        assertThat(places(RasterOrder.HILBERT, 4, 4, 1))
                .containsExactly(
                        "00", "01", "11", "10", "20", "30", "31", "21", "22", "32", "33", "23", "13", "12", "02", "03");
    }

    /** Sides that are no powers of two are no exception; an odd longer side over an even one may be, once. */
    @Draws
    void theHilbertCurveGoesFromNeighbourToNeighbour(
            @Between(min = 1, max = 70) int tilesM, @Between(min = 1, max = 70) int tilesN) {
        Raster raster = RasterOrder.HILBERT.raster(tilesM, tilesN, 4);
        int longer = Math.max(tilesM, tilesN);
        int shorter = Math.min(tilesM, tilesN);
        int diagonals = 0;
        for (int tile = 1; tile < raster.tiles(); tile++) {
            int m = Math.abs(raster.place(tile).m() - raster.place(tile - 1).m());
            int n = Math.abs(raster.place(tile).n() - raster.place(tile - 1).n());
            assertThat(Math.max(m, n)).as("step to tile " + tile).isEqualTo(1);
            diagonals += m + n - 1;
        }
        assertThat(diagonals).isLessThanOrEqualTo(longer % 2 == 1 && shorter % 2 == 0 ? 1 : 0);
    }

    /** Any 16 tiles in a row of a large grid span at most 11 rows and columns; along one side they span 17. */
    @Test
    void tilesThatFollowEachOtherLieTogether() {
        Raster raster = new HilbertRaster(128, 56);
        for (int tile = 0; tile + 16 <= raster.tiles(); tile += 16) {
            Set<Integer> rows = new HashSet<>();
            Set<Integer> columns = new HashSet<>();
            for (int next = tile; next < tile + 16; next++) {
                rows.add(raster.place(next).m());
                columns.add(raster.place(next).n());
            }
            assertThat(rows.size() + columns.size()).isLessThanOrEqualTo(11);
        }
    }

    private static List<String> places(RasterOrder order, int tilesM, int tilesN, int group) {
        Raster raster = order.raster(tilesM, tilesN, group);
        return IntStream.range(0, tilesM * tilesN)
                .mapToObj(raster::place)
                .map(place -> "" + place.m() + place.n())
                .toList();
    }

    @Test
    void refusals() {
        assertThatThrownBy(() -> new BandRaster(3, 5, 4, false))
                .hasMessage("a raster group is 1..3 cluster tiles, got 4");
        assertThatThrownBy(() -> new BandRaster(3, 5, 0, true))
                .hasMessage("a raster group is 1..5 cluster tiles, got 0");
        assertThatThrownBy(() -> new HilbertRaster(0, 5))
                .hasMessage("a raster has at least 1 row and 1 column, got 0x5");
        assertThatThrownBy(() -> new HilbertRaster(3, 5).place(15)).hasMessage("a tile is 0..14, got 15");
        assertThatThrownBy(() -> RasterOrder.parse("peano"))
                .hasMessage("unknown raster order 'peano'; known: alongM, alongN, groupedM, groupedN, hilbert");
    }

    @Test
    void neighboursShareWhatTheOrderRunsAlong() {
        assertThat(RasterOrder.ALONG_N.raster(3, 4, 1).neighboursShareA()).isTrue();
        assertThat(RasterOrder.ALONG_M.raster(3, 4, 1).neighboursShareA()).isFalse();
        assertThat(RasterOrder.GROUPED_M.raster(3, 4, 1).neighboursShareA()).isTrue();
        assertThat(RasterOrder.GROUPED_N.raster(3, 4, 1).neighboursShareA()).isFalse();
    }
}
