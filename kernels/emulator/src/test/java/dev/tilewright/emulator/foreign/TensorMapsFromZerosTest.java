package dev.tilewright.emulator.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxText;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.tensor.MapImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/**
 * Tensor maps that a kernel makes of zeros, as Triton does since 3.3: every field is replaced, then it is published.
 */
class TensorMapsFromZerosTest {
    private static final int ROWS = 16;
    private static final int COLUMNS = 32;

    private static final String REPLACED = """
            @first tensormap.replace.tile.global_address.shared::cta.b1024.b64 [map], in;
            @first tensormap.replace.tile.rank.shared::cta.b1024.b32 [map], 1;
            @first tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [map], 0, 8;
            @first tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [map], 1, 4;
            @first tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [map], 0, 32;
            @first tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [map], 1, 16;
            @first tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [map], 0, 128;
            @first tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [map], 0, 1;
            @first tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [map], 1, 1;
            @first tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [map], 2;
            @first tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [map], 0;
            @first tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [map], 0;
            @first tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [map], 0;
            """;

    /** Loads the box at row 8, column 16, and stores it as it lies. */
    private static PtxText text(String zeros, String replaced) {
        byte[] in = new byte[4 * ROWS * COLUMNS];
        ByteBuffer words = ByteBuffer.wrap(in).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            words.putInt(1000 + i);
        }
        return PtxText.of(
                """
                .reg .b32 t, map, bar, at, v, c0, c1; .reg .b64 in, own, out, o; .reg .pred first, q;
                ld.param.u64 in, [p0];
                ld.param.u64 own, [p1];
                ld.param.u64 out, [p2];
                mov.u32 t, %%tid.x;
                setp.eq.u32 first, t, 0;
                mov.u32 map, smem;
                add.u32 bar, map, 128;
                mad.lo.u32 at, t, 4, map;
                mov.b32 v, 0;
                %s
                bar.warp.sync -1;
                %s
                bar.warp.sync -1;
                tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [own], [map], 128;
                fence.proxy.tensormap::generic.acquire.gpu [own], 128;
                @first mbarrier.init.shared::cta.b64 [bar], 1;
                fence.proxy.async.shared::cta;
                bar.sync 0;
                mov.b32 c0, 16;
                mov.b32 c1, 8;
                @first mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
                @first cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [map+256], [own, {c0, c1}], [bar];
                W: mbarrier.try_wait.parity.shared::cta.b64 q, [bar], 0;
                @!q bra W;
                ld.shared.b32 v, [at+256];
                mul.wide.u32 o, t, 4;
                add.u64 out, out, o;
                st.global.b32 [out], v;
                """.formatted(zeros, replaced),
                32,
                Buffer.of("in", in),
                Buffer.uninitialised("own", MapImage.BYTES),
                Buffer.uninitialised("out", 128));
    }

    @Test
    void theBoxIsLoaded() {
        ByteBuffer out = ByteBuffer.wrap(
                        text("st.shared.b32 [at], v;", REPLACED).clean("out"))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 32; i++) {
            assertThat(out.getInt(4 * i)).as("word " + i).isEqualTo(1000 + (8 + i / 8) * COLUMNS + 16 + i % 8);
        }
    }

    @Test
    void aFieldThatIsLeftOutIsNamed() {
        String without = REPLACED.replaceAll("(?m)^.*global_dim.shared::cta.b1024.b32 \\[map\\], 1.*$", "");
        assertThat(text("st.shared.b32 [at], v;", without).finding().message())
                .contains("there is no tensor map")
                .contains("extents of 1..2^32, got [32, 0]");
    }

    @Test
    void otherBytesAreNoMap() {
        assertThat(text("mov.b32 v, 7; st.shared.b32 [at], v;", REPLACED)
                        .finding()
                        .message())
                .contains("or zeros with all fields replaced");
        assertThat(text("", REPLACED).finding().hazard()).isInstanceOf(Hazard.UninitialisedRead.class);
    }
}
