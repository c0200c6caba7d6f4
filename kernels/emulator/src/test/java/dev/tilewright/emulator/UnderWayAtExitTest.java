package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.run.Buffer;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a CTA leaves under way when it ends; and whole warps that store the same bytes. */
class UnderWayAtExitTest {
    private static final String STORE = """
            .reg .b32 t, at, v; .reg .b64 out; .reg .pred first;
            ld.param.u64 out, [p0];
            mov.u32 t, %%tid.x;
            setp.eq.u32 first, t, 0;
            mad.lo.u32 at, t, 4, smem;
            add.u32 v, t, 7;
            st.shared.u32 [at], v;
            mov.u32 at, smem;
            fence.proxy.async.shared::cta;
            bar.sync 0;
            %1$s cp.async.bulk.global.shared::cta.bulk_group [out], [at], 128;
            %1$s cp.async.bulk.commit_group;
            %2$s
            """;

    private static PtxText store(String guard, String wait) {
        String body = STORE.formatted(guard, wait)
                .replace("mad.lo.u32 at, t, 4, smem", "mov.u32 at, smem;\n" + "mad.lo.u32 at, t, 4, at");
        return PtxText.of(body, 32, Buffer.uninitialised("out", 128));
    }

    private static void requireCounted(byte[] out) {
        for (int i = 0; i < 32; i++) {
            assertThat(out[4 * i]).isEqualTo((byte) (7 + i));
        }
    }

    @Test
    void aBulkStoreThatStillReads() {
        PtxText text = store("@first", "");
        Finding finding = text.finding();
        assertThat(finding.hazard()).isInstanceOf(Hazard.LeakedWork.class);
        assertThat(finding.rule()).isEqualTo(Rule.BULK_READ_AT_EXIT);
        assertThat(finding.site().instruction()).contains("cp.async.bulk.global");
        for (int seed = 0; seed < 20; seed++) {
            RunEnd verdict = text.run(seed, Set.of(Rule.BULK_READ_AT_EXIT));
            requireCounted(((RunEnd.Completed) verdict).buffer("out"));
        }
    }

    /** CUTLASS issues the stores of its epilogue by all 32 lanes. */
    @Test
    void allLanesMayStoreTheSame() {
        requireCounted(store("", "cp.async.bulk.wait_group.read 0;").clean("out"));
    }

    @Test
    void lanesThatStoreOtherBytesToOneAddressRace() {
        PtxText text = PtxText.of(
                STORE.formatted("", "cp.async.bulk.wait_group 0;")
                        .replace("mad.lo.u32 at, t, 4, smem", "mov.u32 at, smem;\nmad.lo.u32 at, t, 128, at")
                        .replace("mov.u32 at, smem;\nfence", "fence")
                        .replace(
                                "st.shared.u32 [at], v;",
                                ".reg .b32 i, w; .reg .pred q; mov.u32 i, 0; mov.u32 w, at;\n"
                                        + "F: st.shared.u32 [w], v; add.u32 w, w, 4; add.u32 i, i, 1;\n"
                                        + "setp.lt.u32 q, i, 32; @q bra F;"),
                32,
                Buffer.uninitialised("out", 128));
        assertThat(text.finding().rule()).isEqualTo(Rule.RACE);
    }

    /** Two commits; only the second is waited for, and the first may come later. */
    @Test
    void theArrivalOfACommit() {
        PtxText text = PtxText.of("""
                .reg .b32 t, bar; .reg .pred first, q;
                mov.u32 t, %tid.x;
                setp.eq.u32 first, t, 0;
                mov.u32 bar, smem;
                @first mbarrier.init.shared::cta.b64 [bar], 1;
                @first mbarrier.init.shared::cta.b64 [bar+8], 1;
                bar.sync 0;
                @first tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];
                @first tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar+8];
                W: mbarrier.try_wait.parity.shared::cta.b64 q, [bar+8], 0;
                @!q bra W;
                """, 32);
        Finding finding = text.finding();
        assertThat(finding.hazard()).isInstanceOf(Hazard.LeakedWork.class);
        assertThat(finding.rule()).isEqualTo(Rule.ARRIVAL_AT_EXIT);
        assertThat(finding.rule().vendorIdiom()).isFalse();
        for (int seed = 0; seed < 20; seed++) {
            assertThat(text.run(seed, Set.of(Rule.ARRIVAL_AT_EXIT))).isInstanceOf(RunEnd.Completed.class);
        }
    }
}
