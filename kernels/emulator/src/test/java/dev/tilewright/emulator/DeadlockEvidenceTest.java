package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.Waiter;
import dev.tilewright.emulator.run.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of a deadlock, and of bytes that never come. */
class DeadlockEvidenceTest {
    private static final String REGISTERS = """
            .reg .pred p, q;
            .reg .b32 base, t, s, i;
            .reg .b64 a;
            mov.u32 base, smem;
            mov.u32 t, %tid.x;
            setp.eq.u32 q, t, 0;
            """;

    private static final String AWAIT = """
            WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 p, [base+64], 0;
            @!p bra WAIT;
            """;

    private static List<Waiter> waiters(String body, int threads) {
        Finding finding = PtxText.of(REGISTERS + body, threads).finding();
        assertThat(finding.hazard()).isInstanceOf(Hazard.Deadlock.class);
        return ((Hazard.Deadlock) finding.hazard()).waiters();
    }

    private static String init(int count) {
        return "@q mbarrier.init.shared::cta.b64 [base+64], " + count + ";\nbar.sync 0;\n";
    }

    @Test
    void whoWaitsForAnMbarrierIsNamedHoweverManyWaitElsewhere() {
        String body = init(1) + """
                setp.lt.u32 p, t, 32;
                @p bra WAIT;
                barrier.cta.sync 3, 1024;
                bra END;
                """ + AWAIT + """
                END:
                """;
        Finding finding = PtxText.of(REGISTERS + body, 1024).finding();
        Hazard.Deadlock deadlock = (Hazard.Deadlock) finding.hazard();
        assertThat(deadlock.waiters().getFirst().site().instruction()).startsWith("mbarrier.try_wait");
        assertThat(deadlock.waiters()).hasSize(9);
        assertThat(deadlock.others()).isEqualTo(23);
        assertThat(finding.site().instruction()).startsWith("mbarrier.try_wait");
        assertThat(finding.message()).contains("and 23 more at the same instructions");
    }

    @Test
    void whatCouldArriveInAFirstPhaseIsNamed() {
        String body = init(2) + """
                setp.gt.u32 p, t, 99;
                shl.b32 i, t, 3;
                add.u32 s, i, base;
                @p mbarrier.arrive.shared::cta.b64 _, [s+64];
                @p mbarrier.arrive.shared::cta.b64 _, [base+128];
                """ + AWAIT;
        String reason = waiters(body, 32).getFirst().reason();
        assertThat(reason)
                .startsWith("phase 0 (parity 0) of smem+64 of CTA 0: 2 of 2 arrivals pending, tx-count 0; what arrives"
                        + " there: line ")
                .endsWith("'@p mbarrier.arrive.shared::cta.b64 _, [s+64];'")
                .doesNotContain("base+128", "[phase");
    }

    @Test
    void aTextThatNeverArrivesIsTold() {
        assertThat(waiters(init(1) + AWAIT, 32).getFirst().reason())
                .endsWith("1 of 1 arrivals pending, tx-count 0; no instruction of the text arrives there");
    }

    @Test
    void anArrivalWhoseAddressIsNotInTheTextMayBeTheOne() {
        String body = init(1) + """
                shl.b32 i, t, 2;
                add.u32 i, i, base;
                st.shared.u32 [i+512], base;
                ld.shared.u32 s, [i+512];
                setp.gt.u32 p, t, 99;
                @p mbarrier.arrive.shared::cta.b64 _, [s];
                """ + AWAIT;
        assertThat(waiters(body, 32).getFirst().reason())
                .contains("what may arrive there, its address is not in the text: line ")
                .endsWith("'@p mbarrier.arrive.shared::cta.b64 _, [s];'");
    }

    @Test
    void whoHasArrivedIsNamed() {
        String reason = waiters(init(2) + "@q mbarrier.arrive.shared::cta.b64 _, [base+64];\n" + AWAIT, 32)
                .getFirst()
                .reason();
        assertThat(reason).contains("1 of 2 arrivals pending, tx-count 0, arrived in this phase: k line ");
    }

    @Test
    void aWaiterAtABarrierOfTheCtaIsAtTheBarrier() {
        Waiter waiter = waiters("""
                        setp.lt.u32 p, t, 64;
                        @!p bra END;
                        barrier.cta.sync 5, 128;
                        mov.u32 i, 0;
                        END:
                        """, 128).getFirst();
        assertThat(waiter.site().instruction()).isEqualTo("barrier.cta.sync 5, 128;");
        assertThat(waiter.reason())
                .startsWith("named barrier 5 with 64 of 128 threads arrived, of warps 0 1; what arrives there: line ");
    }

    @Test
    void bytesAreCountedAndTheLastAnnouncementIsTheSite() {
        Buffer buffer = Buffer.of("source", new byte[256]);
        String body = REGISTERS + """
                ld.param.u64 a, [p0];
                @q mbarrier.init.shared::cta.b64 [base+64], 1;
                fence.mbarrier_init.release.cluster;
                bar.sync 0;
                @q mbarrier.arrive.expect_tx.shared::cta.b64 _, [base+64], 272;
                @q cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [base+1024], [a], 256, [base+64];
                """ + AWAIT;
        Finding finding = PtxText.of(body, 32, buffer).finding();
        assertThat(finding.hazard()).isInstanceOf(Hazard.UnbalancedTx.class);
        assertThat(finding.site().instruction()).startsWith("@q mbarrier.arrive.expect_tx");
        assertThat(finding.message())
                .contains("tx-count 16 with nothing under way; in this phase 272 bytes were announced and 256 came")
                .contains("; last announced by k line ", "; last come from k line ", "'@q cp.async.bulk.shared")
                .doesNotContain(", waits for", "[k line");
    }
}
