package dev.tilewright.emulator.asynchronous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxText;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** cp.reduce.async.bulk into the shared memory of a CTA of the cluster. */
class ClusterReductionTest {
    private static final int BYTES = 256;
    private static final String FENCE = "fence.proxy.async.shared::cta;";
    private static final String FIRST = "st.shared.u32 [z], 100;";
    private static final String WAIT = """
            WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [base], 0;
            @!p bra WAIT;
            """;

    /** Both CTAs reduce 64 words, rank * 1000 + thread, into those of rank 0, which are 100 at first. */
    private static String body(String operation) {
        return """
                .reg .b32 t, base, src, dst, x, y, z, rank, rdst, rbar;
                .reg .pred p, q;
                .reg .b64 out;
                mov.u32 t, %%tid.x;
                mov.u32 rank, %%cluster_ctarank;
                mov.u32 base, smem;
                add.u32 src, base, 1024;
                add.u32 dst, base, 2048;
                ld.param.u64 out, [p0];
                mapa.shared::cluster.u32 rdst, dst, 0;
                mapa.shared::cluster.u32 rbar, base, 0;
                setp.ne.u32 p, t, 0;
                setp.ne.u32 q, rank, 0;
                @p bra READY;
                mbarrier.init.shared::cta.b64 [base], 1;
                @!q mbarrier.arrive.expect_tx.shared::cta.b64 _, [base], 512;
                fence.mbarrier_init.release.cluster;
                READY:
                mad.lo.u32 x, rank, 1000, t;
                mad.lo.u32 y, t, 4, src;
                mad.lo.u32 z, t, 4, dst;
                st.shared.u32 [y], x;
                %s
                %s
                barrier.cluster.arrive.aligned;
                barrier.cluster.wait.aligned;
                setp.ne.u32 p, t, 0;
                @p bra DONE;
                cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.%s [rdst], [src], 256, [rbar];
                DONE:
                @q bra END;
                %s
                ld.shared.u32 x, [z];
                mad.wide.u32 out, t, 4, out;
                st.global.u32 [out], x;
                END:
                barrier.cluster.arrive.aligned;
                barrier.cluster.wait.aligned;
                """.formatted(FIRST, FENCE, operation, WAIT);
    }

    private static PtxText text(String body) {
        return PtxText.ofCluster(body, 64, 2, Buffer.of("out", new byte[BYTES]));
    }

    private static int expected(String operation, int old, int value) {
        return switch (operation) {
            case "add.u32", "add.s32" -> old + value;
            case "min.s32" -> Math.min(old, value);
            case "max.u32" -> Math.max(old, value);
            case "and.b32" -> old & value;
            case "or.b32" -> old | value;
            case "xor.b32" -> old ^ value;
            default -> throw new AssertionError(operation);
        };
    }

    @ParameterizedTest
    @CsvSource({"add.u32", "add.s32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"})
    void bothReduceIntoOne(String operation) {
        ByteBuffer out = ByteBuffer.wrap(text(body(operation)).clean("out")).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < BYTES / 4; i++) {
            assertThat(out.getInt(4 * i)).isEqualTo(expected(operation, expected(operation, 100, i), 1000 + i));
        }
    }

    @Test
    void sumsOfSixtyFourBitsCarry() {
        ByteBuffer out = ByteBuffer.wrap(
                        text(body("add.u64").replace("[z], 100", "[z], -1")).clean("out"))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < BYTES / 8; i++) {
            long first = 2L * i | 2L * i + 1 << 32;
            long second = 1000L + 2 * i | 1001L + 2 * i << 32;
            assertThat(out.getLong(8 * i)).isEqualTo(-1 + first + second);
        }
    }

    @Test
    void whatIsThereMustBeFenced() {
        assertThat(text(body("add.u32").replace(FENCE, "")).finding().hazard())
                .isInstanceOf(Hazard.MissingProxyFence.class);
    }

    @Test
    void whatIsThereMustBeWritten() {
        assertThat(text(body("add.u32").replace(FIRST, "")).finding().hazard())
                .isInstanceOf(Hazard.UninitialisedRead.class);
    }

    @Test
    void theResultMustBeWaitedFor() {
        // Before the reduction has begun the read is a race with it.
        assertThat(text(body("add.u32").replace(WAIT, "")).finding().hazard())
                .isInstanceOfAny(Hazard.ReadBeforeCopy.class, Hazard.Race.class);
    }

    @Test
    void theBarrierIsThatOfTheDestination() {
        assertThat(text(body("add.u32").replace("rbar, base, 0", "rbar, base, 1"))
                        .finding()
                        .message())
                .contains("barrier must be in the CTA of its destination");
    }
}
