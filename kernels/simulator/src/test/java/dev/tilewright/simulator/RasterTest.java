package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RasterTest {

    @Property(tries = 200)
    void visitsEveryPlaceOnce(
            @ForAll RasterOrder order,
            @ForAll @IntRange(min = 1, max = 40) int tilesM,
            @ForAll @IntRange(min = 1, max = 40) int tilesN,
            @ForAll @IntRange(min = 1, max = 50) int group) {
        Raster raster = order.over(tilesM, tilesN, group);
        Set<Raster.Place> places = new HashSet<>();
        for (int tile = 0; tile < raster.tiles(); tile++) {
            Raster.Place place = raster.place(tile);
            assertThat(place.m()).isBetween(0, tilesM - 1);
            assertThat(place.n()).isBetween(0, tilesN - 1);
            assertThat(places.add(place)).isTrue();
        }
    }

    @Test
    void goesDownABandOfRowsFirst() {
        Raster raster = RasterOrder.GROUPED_M.over(3, 2, 2);
        assertThat(java.util.stream.IntStream.range(0, 6).mapToObj(raster::place))
                .containsExactly(
                        new Raster.Place(0, 0),
                        new Raster.Place(1, 0),
                        new Raster.Place(0, 1),
                        new Raster.Place(1, 1),
                        new Raster.Place(2, 0),
                        new Raster.Place(2, 1));
        assertThat(RasterOrder.ALONG_N.over(3, 2, 9).place(1)).isEqualTo(new Raster.Place(0, 1));
        assertThat(RasterOrder.ALONG_M.over(3, 2, 1).place(1)).isEqualTo(new Raster.Place(1, 0));
    }
}
