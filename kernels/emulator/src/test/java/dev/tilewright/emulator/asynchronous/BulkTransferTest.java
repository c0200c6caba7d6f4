package dev.tilewright.emulator.asynchronous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.emulator.PtxText;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.ptx.parse.PtxParseException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bulk copies of bytes in a row: between CTAs, to many of them, with reductions. */
class BulkTransferTest {
    private static final int BYTES = 512;

    private static byte[] content() {
        byte[] content = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            content[i] = (byte) (i * 13 + 5);
        }
        return content;
    }

    /** Shared memory: barrier at 0, source at 1024, destination at 2048; thread 0 of each CTA runs the body. */
    private static PtxText cluster(String body) {
        String text = """
                .reg .b32 t, base, src, dst, x, y, i, rank, peer, rdst, rbar;
                .reg .b16 mask;
                .reg .pred p;
                .reg .b64 in, out, policy;
                mov.u32 t, %%tid.x;
                mov.u32 rank, %%cluster_ctarank;
                xor.b32 peer, rank, 1;
                mov.u32 base, smem;
                add.u32 src, base, 1024;
                add.u32 dst, base, 2048;
                ld.param.u64 in, [p0];
                ld.param.u64 out, [p1];
                mad.wide.u32 out, rank, %d, out;
                mapa.shared::cluster.u32 rdst, dst, peer;
                mapa.shared::cluster.u32 rbar, base, peer;
                setp.ne.u32 p, t, 0;
                @p bra READY;
                mbarrier.init.shared::cta.b64 [base], 1;
                fence.mbarrier_init.release.cluster;
                READY:
                mad.lo.u32 x, rank, 1000, t;
                mad.lo.u32 y, t, 4, src;
                st.shared.u32 [y], x;
                st.shared.u32 [y+256], x;
                fence.proxy.async.shared::cta;
                barrier.cluster.arrive.aligned;
                barrier.cluster.wait.aligned;
                setp.ne.u32 p, t, 0;
                @p bra DONE;
                mbarrier.arrive.expect_tx.shared::cta.b64 _, [base], %d;
                %s
                DONE:
                WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [base], 0;
                @!p bra WAIT;
                mad.lo.u32 y, t, 4, dst;
                ld.shared.u32 x, [y];
                mad.wide.u32 out, t, 4, out;
                st.global.u32 [out], x;
                ld.shared.u32 x, [y+256];
                st.global.u32 [out+256], x;
                barrier.cluster.arrive.aligned;
                barrier.cluster.wait.aligned;
                """.formatted(BYTES, BYTES, body);
        return PtxText.ofCluster(text, 64, 2, Buffer.of("in", content()), Buffer.of("out", new byte[2 * BYTES]));
    }

    private static final String TO_PEER =
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [rdst], [src], 512, [rbar];\n";

    @Test
    void fromSharedToSharedOfThePeer() {
        ByteBuffer out = ByteBuffer.wrap(cluster(TO_PEER).clean("out")).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < BYTES / 4; i++) {
            assertThat(out.getInt(4 * i)).isEqualTo(1000 + i % 64);
            assertThat(out.getInt(BYTES + 4 * i)).isEqualTo(i % 64);
        }
    }

    @Test
    void sourceIsOwnedUntilTheCopyHasLanded() {
        assertThat(cluster(TO_PEER + "st.shared.u32 [src+16], x;\n").finding().hazard())
                .isInstanceOf(Hazard.OverwrittenWhileRead.class);
        assertThat(cluster("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                                + "[rdst], [src], 512, [base];\n")
                        .finding()
                        .message())
                .contains("barrier must be in the CTA of its destination");
    }

    /** Rank 0 brings half to both, rank 1 the other half. */
    @Test
    void toManyAtOnce() {
        String load = """
                mov.b16 mask, 3;
                mad.lo.u32 y, rank, 256, dst;
                mad.wide.u32 in, rank, 256, in;
                cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [y], [in], 256, [base], mask;
                """;
        byte[] out = cluster(load).clean("out");
        for (int i = 0; i < 2 * BYTES; i++) {
            assertThat(out[i]).isEqualTo(content()[i % BYTES]);
        }
        assertThat(cluster(load.replace("mask, 3", "mask, 5")).finding().message())
                .contains("multicast mask 0x5");
        assertThat(cluster(load.replace("mask, 3", "mask, 1")).finding().hazard())
                .isInstanceOfAny(Hazard.UnbalancedTx.class, Hazard.Deadlock.class);
    }

    /** One thread writes 16 bytes to shared memory and reduces them into global memory. */
    private static byte[] reduced(String operation, byte[] global, byte[] shared) {
        return PtxText.of("""
                        .reg .b32 base, x<4>;
                        .reg .b64 in, out;
                        .reg .pred p;
                        .reg .b32 t;
                        mov.u32 t, %%tid.x;
                        setp.ne.u32 p, t, 0;
                        @p ret;
                        mov.u32 base, smem;
                        ld.param.u64 in, [p0];
                        ld.param.u64 out, [p1];
                        ld.global.v4.b32 {x0, x1, x2, x3}, [in];
                        st.shared.v4.b32 [base], {x0, x1, x2, x3};
                        fence.proxy.async.shared::cta;
                        cp.reduce.async.bulk.global.shared::cta.bulk_group.%s [out], [base], 16;
                        cp.reduce.async.bulk.global.shared::cta.bulk_group.%s [out], [base], 16;
                        cp.async.bulk.commit_group;
                        cp.async.bulk.wait_group 0;
                        """.formatted(operation, operation), 32, Buffer.of("in", shared), Buffer.of("out", global))
                .clean("out");
    }

    private static ByteBuffer four(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @ParameterizedTest
    @CsvSource({
        "add.u32, 10, -3, 4",
        "add.s32, 2147483647, 1, -2147483647",
        "min.s32, 10, -3, -3",
        "min.u32, 10, -3, 10",
        "max.s32, 10, -3, 10",
        "max.u32, 10, -3, -3",
        "and.b32, 12, 10, 8",
        "or.b32, 12, 10, 14",
        "xor.b32, 12, 10, 12",
        "inc.u32, 5, 9, 7",
        "inc.u32, 9, 9, 1",
        "dec.u32, 5, 9, 3",
        "dec.u32, 0, 9, 8"
    })
    void reducesIntegers(String operation, int global, int shared, int expected) {
        byte[] old = four(16).putInt(global)
                .putInt(global)
                .putInt(global)
                .putInt(global)
                .array();
        byte[] value = four(16).putInt(shared)
                .putInt(shared)
                .putInt(shared)
                .putInt(shared)
                .array();
        ByteBuffer out = ByteBuffer.wrap(reduced(operation, old, value)).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 4; i++) {
            assertThat(out.getInt(4 * i)).isEqualTo(expected);
        }
    }

    @Test
    void reducesFloats() {
        byte[] f32 = reduced(
                "add.f32",
                four(16).putFloat(1.5f).putFloat(0).putFloat(-4).putFloat(8).array(),
                four(16).putFloat(2).putFloat(-1).putFloat(4).putFloat(0.25f).array());
        assertThat(ByteBuffer.wrap(f32).order(ByteOrder.LITTLE_ENDIAN).getFloat(0))
                .isEqualTo(5.5f);
        assertThat(ByteBuffer.wrap(f32).order(ByteOrder.LITTLE_ENDIAN).getFloat(12))
                .isEqualTo(8.5f);
        ByteBuffer halves = four(16);
        ByteBuffer bf16 = four(16);
        for (int i = 0; i < 8; i++) {
            halves.putShort(2 * i, Float.floatToFloat16(i - 3));
            bf16.putShort(2 * i, (short) (Float.floatToRawIntBits(i - 3) >>> 16));
        }
        ByteBuffer sum = ByteBuffer.wrap(reduced("add.noftz.f16", halves.array(), halves.array()))
                .order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer most =
                ByteBuffer.wrap(reduced("max.bf16", new byte[16], bf16.array())).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 8; i++) {
            assertThat(Float.float16ToFloat(sum.getShort(2 * i))).isEqualTo(3 * (i - 3));
            assertThat(Float.intBitsToFloat(most.getShort(2 * i) << 16)).isEqualTo(Math.max(0, i - 3));
        }
        byte[] f64 = reduced(
                "add.f64",
                four(16).putDouble(1).putDouble(-2).array(),
                four(16).putDouble(0.5).putDouble(1).array());
        assertThat(ByteBuffer.wrap(f64).order(ByteOrder.LITTLE_ENDIAN).getDouble(0))
                .isEqualTo(2);
        byte[] flushed = reduced(
                "add.f32",
                four(16).putFloat(1e-40f).array(),
                four(16).putFloat(1e-40f).array());
        assertThat(flushed).isEqualTo(new byte[16]);
    }

    /** The rule of the manual's table of operations and types. */
    @ParameterizedTest
    @ValueSource(strings = {"min.f32", "add.u16", "and.f32", "xor.b16", "add.f16", "min.noftz.f16", "inc.s32"})
    void refusesReductionsThatAreNot(String operation) {
        assertThatThrownBy(() -> reduced(operation, new byte[16], new byte[16]))
                .isInstanceOf(PtxParseException.class)
                .hasMessageContaining("cp.reduce.async.bulk");
    }
}
