package dev.tilewright.gemm.raster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.machine.Machine;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class RasterCodeTest {

    /** Stores row and column of every tile, one after the other. */
    private static final Entry PLACES = PtxModule.build(
                    Target.SM_90A,
                    m -> m.entry("places", e -> {
                        Param tiles = e.u32("tiles");
                        RasterCode code = RasterCode.declare(e);
                        Param out = e.pointer("out");
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
        List<Argument> arguments = new ArrayList<>();
        arguments.add(new Argument.U32(tilesM * tilesN));
        arguments.addAll(RasterCode.arguments(raster));
        arguments.add(new Argument.Pointer(BufferRole.WORKSPACE, 0));
        Machine.run(PLACES, arguments, memory);
        long start = Machine.address(BufferRole.WORKSPACE);
        for (int tile = 0; tile < tilesM * tilesN; tile++) {
            Place emitted = new Place(memory.get(start + 8L * tile), memory.get(start + 8L * tile + 4));
            assertThat(emitted).as("tile " + tile + " of " + raster).isEqualTo(raster.place(tile));
        }
    }
}
