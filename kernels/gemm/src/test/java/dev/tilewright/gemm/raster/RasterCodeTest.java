package dev.tilewright.gemm.raster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.machine.Machine;
import dev.tilewright.model.raster.BandRaster;
import dev.tilewright.model.raster.Raster.Place;
import dev.tilewright.model.raster.RasterOrder;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.Target;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class RasterCodeTest {

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
                            RasterCode code = new RasterCode(tilesM, tilesN, group, alongN);
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

    @Property(tries = 150)
    void theEmittedCodeSaysTheSame(
            @ForAll @IntRange(min = 1, max = 30) int tilesM,
            @ForAll @IntRange(min = 1, max = 30) int tilesN,
            @ForAll RasterOrder order,
            @ForAll @IntRange(min = 1, max = 20) int group) {
        Assume.that(order != RasterOrder.HILBERT);
        BandRaster raster = (BandRaster) order.raster(tilesM, tilesN, group);
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
}
