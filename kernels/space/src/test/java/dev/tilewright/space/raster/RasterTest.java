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

    private static List<String> places(RasterOrder order, int tilesM, int tilesN, int group) {
        Raster raster = order.raster(tilesM, tilesN, group);
        return IntStream.range(0, tilesM * tilesN)
                .mapToObj(raster::place)
                .map(place -> "" + place.m() + place.n())
                .toList();
    }

    @Test
    void refusals() {
        assertThatThrownBy(() -> new Raster(3, 5, 4, false)).hasMessage("a raster group is 1..3 cluster tiles, got 4");
        assertThatThrownBy(() -> new Raster(3, 5, 0, true)).hasMessage("a raster group is 1..5 cluster tiles, got 0");
        assertThatThrownBy(() -> RasterOrder.parse("peano"))
                .hasMessage("unknown raster order 'peano'; known: alongM, alongN, groupedM, groupedN");
    }

    @Test
    void neighboursShareWhatTheOrderRunsAlong() {
        assertThat(RasterOrder.ALONG_N.raster(3, 4, 1).neighboursShareA()).isTrue();
        assertThat(RasterOrder.ALONG_M.raster(3, 4, 1).neighboursShareA()).isFalse();
        assertThat(RasterOrder.GROUPED_M.raster(3, 4, 1).neighboursShareA()).isTrue();
        assertThat(RasterOrder.GROUPED_N.raster(3, 4, 1).neighboursShareA()).isFalse();
    }
}
