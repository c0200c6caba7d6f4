package dev.tilewright.emulator.asynchronous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxText;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** mbarrier by states: tokens, drops, counts, and addresses of the cluster. */
class StateBarrierTest {
    private static final int THREADS = 64;

    private static PtxText kernel(int count, int cluster, String body) {
        String head = """
                .reg .b32 t, base, x, y, i, rank, remote;
                .reg .pred p, q;
                .reg .b64 out, s, u, g;
                mov.u32 t, %%tid.x;
                mov.u32 rank, %%cluster_ctarank;
                mov.u32 base, smem;
                ld.param.u64 out, [p0];
                mad.lo.u32 x, rank, %d, t;
                mad.wide.u32 out, x, 4, out;
                setp.ne.u32 p, t, 0;
                @p bra READY;
                mbarrier.init.shared::cta.b64 [base], %d;
                fence.mbarrier_init.release.cluster;
                READY:
                %s
                """.formatted(
                        THREADS,
                        count,
                        cluster > 1 ? "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" : "bar.sync 0;");
        return PtxText.ofCluster(head + body, THREADS, cluster, Buffer.of("out", new byte[THREADS * 4 * cluster]));
    }

    private static final String WAIT = """
            WAIT%d: mbarrier.test_wait.shared::cta.b64 p, [base], s;
            @!p bra WAIT%d;
            """;

    private static String await(int number) {
        return WAIT.formatted(number, number);
    }

    /** Writes before an arrival are seen after the wait for the state it gave, phase after phase. */
    @Test
    void statesNameTheirPhase() {
        byte[] out = kernel(THREADS, 1, """
                mov.u32 i, 0;
                mov.u32 y, 0;
                LOOP:
                and.b32 x, i, 1;
                shl.b32 x, x, 8;
                mad.lo.u32 x, t, 4, x;
                add.u32 x, x, base;
                st.shared.u32 [x+64], t;
                mbarrier.arrive.shared::cta.b64 s, [base];
                WAIT: mbarrier.try_wait.shared::cta.b64 p, [base], s;
                @!p bra WAIT;
                xor.b32 rank, t, 63;
                and.b32 x, i, 1;
                shl.b32 x, x, 8;
                mad.lo.u32 x, rank, 4, x;
                add.u32 x, x, base;
                ld.shared.u32 x, [x+64];
                add.u32 y, y, x;
                add.u32 i, i, 1;
                setp.lt.u32 p, i, 6;
                @p bra LOOP;
                st.global.u32 [out], y;
                """).clean("out");
        ByteBuffer words = ByteBuffer.wrap(out).order(ByteOrder.LITTLE_ENDIAN);
        for (int thread = 0; thread < THREADS; thread++) {
            assertThat(words.getInt(4 * thread)).isEqualTo(6 * (thread ^ 63));
        }
    }

    @Test
    void pendingCountIsThatBeforeTheArrival() {
        byte[] out = kernel(100, 1, """
                setp.ne.u32 p, t, 5;
                @p bra END;
                mbarrier.arrive.noComplete.shared::cta.b64 s, [base], 7;
                mbarrier.arrive.noComplete.shared::cta.b64 u, [base], 3;
                mbarrier.pending_count.b64 x, s;
                st.global.u32 [out], x;
                mbarrier.pending_count.b64 x, u;
                st.global.u32 [out+4], x;
                END:
                """).clean("out");
        ByteBuffer words = ByteBuffer.wrap(out).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(words.getInt(20)).isEqualTo(100);
        assertThat(words.getInt(24)).isEqualTo(93);
    }

    /** The upper half of the threads leave the barrier after one phase. */
    @Test
    void droppedThreadsAreNotAwaited() {
        kernel(THREADS, 1, """
                setp.ge.u32 q, t, 32;
                @!q bra STAY;
                mbarrier.arrive_drop.shared::cta.b64 _, [base];
                ret;
                STAY:
                mbarrier.arrive.shared::cta.b64 s, [base];
                """ + await(0) + "mbarrier.arrive.shared::cta.b64 s, [base];\n" + await(1))
                .clean("out");
        assertThat(kernel(THREADS, 1, """
                setp.ge.u32 q, t, 32;
                mbarrier.arrive.shared::cta.b64 s, [base];
                @q ret;
                """ + await(0) + "mbarrier.arrive.shared::cta.b64 s, [base];\n" + await(1))
                        .finding()
                        .hazard())
                .isInstanceOf(Hazard.Deadlock.class);
    }

    @Test
    void misuse() {
        assertThat(kernel(1, 1, "@!p mbarrier.arrive.noComplete.shared::cta.b64 s, [base], 1;\n")
                        .finding()
                        .message())
                .contains("an arrival with .noComplete completed phase 0");
        assertThat(kernel(4, 1, "@!p mbarrier.arrive_drop.shared::cta.b64 s, [base], 5;\n")
                        .finding()
                        .message())
                .contains("drop of 5 of 4 expected arrivals");
        assertThat(kernel(THREADS, 1, "mov.b64 s, 4096;\n" + await(0)).finding().message())
                .contains("waits for a state 0x1000 that no arrival at it gave");
        assertThat(kernel(1, 1, """
                @p bra END;
                mbarrier.arrive.shared::cta.b64 s, [base];
                mbarrier.arrive.shared::cta.b64 u, [base];
                """ + await(0) + "END:\n").finding().hazard()).isInstanceOf(Hazard.PhaseOverrun.class);
    }

    @Test
    void bytesAreAwaitedByStates() {
        kernel(1, 1, """
                @p bra END;
                mbarrier.arrive.expect_tx.shared::cta.b64 s, [base], 48;
                mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [base], 48;
                """ + await(0) + "END:\n").clean("out");
        assertThat(kernel(1, 1, """
                @p bra END;
                mbarrier.arrive.expect_tx.shared::cta.b64 s, [base], 48;
                mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [base], 32;
                """ + await(0) + "END:\n").finding().hazard()).isInstanceOf(Hazard.UnbalancedTx.class);
    }

    /** Each CTA arrives at the barrier of its neighbour, whose generic address it maps. */
    @Test
    void remoteArrivals() {
        byte[] out = kernel(2 * THREADS, 2, """
                mapa.shared::cluster.u32 remote, base, 0;
                mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];
                setp.eq.u32 q, rank, 0;
                @!q bra SKIP;
                WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [base], 0;
                @!p bra WAIT;
                SKIP:
                xor.b32 y, rank, 1;
                mapa.shared::cluster.u32 remote, base, y;
                getctarank.shared::cluster.u32 x, remote;
                st.global.u32 [out], x;
                barrier.cluster.arrive.aligned;
                barrier.cluster.wait.aligned;
                """).clean("out");
        ByteBuffer words = ByteBuffer.wrap(out).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(words.getInt(0)).isEqualTo(1);
        assertThat(words.getInt(4 * THREADS)).isZero();
    }
}
