package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.hazard.Rule;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A barrier that another CTA uses behind a relaxed meeting: its init needs a fence of its own. */
class UnfencedInitTest {
    private static PtxText text(String fence, String meeting) {
        return PtxText.ofCluster("""
                .reg .b32 t, rank, bar, there; .reg .pred first, other, q;
                mov.u32 t, %%tid.x;
                mov.u32 rank, %%cluster_ctarank;
                mov.u32 bar, smem;
                setp.eq.u32 first, t, 0;
                @first mbarrier.init.shared::cta.b64 [bar], 1;
                %s
                %s
                mapa.shared::cluster.u32 there, bar, 0;
                setp.eq.and.u32 other, rank, 1, first;
                @other mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];
                setp.ne.u32 q, rank, 0;
                @q bra END;
                W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 q, [bar], 0;
                @!q bra W;
                END:
                barrier.cluster.arrive.aligned;
                barrier.cluster.wait.aligned;
                """.formatted(fence, meeting), 32, 2);
    }

    private static final String RELAXED = "barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;";

    @Test
    void isARuleOfItsOwn() {
        PtxText unfenced = text("", RELAXED);
        assertThat(unfenced.finding().rule()).isEqualTo(Rule.INIT_UNFENCED);
        for (int seed = 0; seed < 20; seed++) {
            assertThat(unfenced.run(seed, Set.of(Rule.INIT_UNFENCED))).isInstanceOf(RunEnd.Completed.class);
        }
        text("fence.mbarrier_init.release.cluster;", RELAXED).completed(1);
        text("", "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;")
                .completed(1);
    }

    @Test
    void withoutAMeetingItIsARace() {
        PtxText alone = text("", "bar.sync 0;");
        assertThat(alone.finding().rule().acceptable()).isFalse();
    }
}
