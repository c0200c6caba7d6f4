package dev.tilewright.gemm.raster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.launch.BufferDemand.Zero;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.machine.Machine;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.space.raster.Raster;
import dev.tilewright.space.raster.Raster.Place;
import dev.tilewright.space.raster.RasterOrder;
import dev.tilewright.testing.Between;
import dev.tilewright.testing.Draws;
import java.util.HashMap;
import java.util.Map;

class RasterCodeTest {

    private static final BoundParams<Raster> PARAMS = new BoundParams<>();

    /** Stores row and column of every tile, one after the other. */
    private static final Entry PLACES = PtxModule.build(
                    Target.SM_90A,
                    m -> m.entry("places", e -> {
                        Param tiles = PARAMS.u32("tiles", Raster::tiles);
                        RasterCode code = RasterCode.declare(PARAMS, raster -> raster);
                        Param out =
                                PARAMS.buffer("out", BufferRole.WORKSPACE, Zero.NEVER, raster -> 8L * raster.tiles());
                        PARAMS.params().forEach(e::param);
                        e.launchBounds(32, 1);
                        e.code(b -> {
                            Reg<B64> start = b.globalPointer(out);
                            b.forRange("tile", 0, b.param32(tiles), (w, tile) -> {
                                RasterCode.Place place = code.place(w, tile);
                                GlobalAddress at = GlobalAddress.of(w.madWide(tile, 8, start));
                                w.st32(at, place.m());
                                w.st32(at.plus(4), place.n());
                            });
                            b.ret();
                        });
                    }))
            .entry("places");

    @Draws
    void theEmittedCodeSaysTheSame(
            @Between(min = 1, max = 30) int tilesM,
            @Between(min = 1, max = 30) int tilesN,
            RasterOrder order,
            @Between(min = 1, max = 20) int group) {
        Raster raster = order.raster(tilesM, tilesN, group);
        Map<Long, Integer> memory = new HashMap<>();
        Machine.run(PLACES, PARAMS.arguments(raster), memory);
        long start = Machine.address(BufferRole.WORKSPACE);
        for (int tile = 0; tile < tilesM * tilesN; tile++) {
            Place emitted = new Place(memory.get(start + 8L * tile), memory.get(start + 8L * tile + 4));
            assertThat(emitted).as("tile " + tile + " of " + raster).isEqualTo(raster.place(tile));
        }
    }
}
