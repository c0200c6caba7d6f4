package dev.tilewright.gemm.raster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.machine.Machine;
import dev.tilewright.gemm.raster.Raster.Place;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.Target;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RasterTest {

    /** Stores row and column of every tile, one after the other. */
    private static final Entry PLACES = PtxModule.build(
                    Target.SM_90A,
                    m -> m.entry("places", e -> {
                        Param tilesM = e.u32("tilesM");
                        Param tilesN = e.u32("tilesN");
                        Param group = e.u32("rasterGroup");
                        Param alongN = e.u32("rasterAlongN");
                        Param out = e.pointer("out");
                        e.launchBounds(32, 1);
                        e.code(b -> {
                            RasterCode code = RasterCode.of(
                                    b, b.param32(tilesM), b.param32(tilesN), b.param32(group), b.param32(alongN));
                            Reg<B64> start = b.globalPointer(out);
                            b.forRange("tile", 0, b.mulLo(b.param32(tilesM), b.param32(tilesN)), (w, tile) -> {
                                RasterCode.Place place = code.place(w, tile);
                                GlobalAddress at = GlobalAddress.of(w.madWide(tile, 8, start));
                                w.st32(at, place.m());
                                w.st32(at.plus(4), place.n());
                            });
                            b.ret();
                        });
                    }))
            .entry("places");

    @Property(tries = 400)
    void everyTileHasOnePlace(
            @ForAll @IntRange(min = 1, max = 70) int tilesM,
            @ForAll @IntRange(min = 1, max = 70) int tilesN,
            @ForAll RasterOrder order,
            @ForAll @IntRange(min = 1, max = 20) int group) {
        Raster raster = order.raster(tilesM, tilesN, group);
        Set<Place> places = new HashSet<>();
        for (int tile = 0; tile < tilesM * tilesN; tile++) {
            Place place = raster.place(tile);
            assertThat(place.m()).isBetween(0, tilesM - 1);
            assertThat(place.n()).isBetween(0, tilesN - 1);
            places.add(place);
        }
        assertThat(places).hasSize(tilesM * tilesN);
    }

    @Property(tries = 150)
    void theEmittedCodeSaysTheSame(
            @ForAll @IntRange(min = 1, max = 30) int tilesM,
            @ForAll @IntRange(min = 1, max = 30) int tilesN,
            @ForAll RasterOrder order,
            @ForAll @IntRange(min = 1, max = 20) int group) {
        Raster raster = order.raster(tilesM, tilesN, group);
        Map<Long, Integer> memory = new HashMap<>();
        Machine.run(
                PLACES,
                List.of(
                        new Argument.U32(tilesM),
                        new Argument.U32(tilesN),
                        new Argument.U32(raster.group()),
                        new Argument.U32(raster.alongN() ? 1 : 0),
                        new Argument.Pointer(BufferRole.WORKSPACE, 0)),
                memory);
        long start = Machine.address(BufferRole.WORKSPACE);
        for (int tile = 0; tile < tilesM * tilesN; tile++) {
            Place emitted = new Place(memory.get(start + 8L * tile), memory.get(start + 8L * tile + 4));
            assertThat(emitted).as("tile " + tile + " of " + raster).isEqualTo(raster.place(tile));
        }
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
        assertThatThrownBy(() -> RasterOrder.parse("hilbert"))
                .hasMessage("unknown raster order 'hilbert'; known: alongM, alongN, groupedM, groupedN");
    }
}
