package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Threads that spin on a word of global memory: they starve nobody, and where nobody writes it they are named. */
class PollingTest {
    private static final String REGISTERS = """
            .reg .b32 t, v, n, i, at, bar; .reg .b64 flag, count; .reg .pred poller, q, first;
            ld.param.u64 flag, [p0];
            ld.param.u64 count, [p1];
            mov.u32 t, %tid.x;
            mov.u32 at, smem;
            setp.lt.u32 poller, t, 32;
            """;

    private static Buffer[] buffers() {
        return new Buffer[] {Buffer.of("flag", new byte[16]), Buffer.of("count", new byte[16])};
    }

    private static final String SPIN = """
            SPIN:
            ld.acquire.gpu.global.u32 v, [flag];
            setp.eq.u32 q, v, 0;
            @q bra SPIN;
            """;

    /** Warp 0 spins; warp 1 works for long, and then sets the flag. */
    @Test
    void theWorkerIsNotStarved() {
        PtxText text = PtxText.of(
                REGISTERS
                        + """
                @poller bra SPIN;
                mov.u32 i, 0;
                WORK:
                st.shared.u32 [at+128], i;
                bar.warp.sync -1;
                add.u32 i, i, 1;
                setp.lt.u32 q, i, 300;
                @q bra WORK;
                setp.eq.u32 first, t, 32;
                mov.u32 v, 7;
                @first st.global.u32 [count], v;
                @first st.release.gpu.global.u32 [flag], v;
                bra END;
                """.replace(
                                "st.shared.u32 [at+128], i;", "@!poller mad.lo.u32 n, t, 4, at; st.shared.u32 [n], i;")
                        + SPIN + """
                ld.global.u32 n, [count];
                setp.eq.u32 first, t, 0;
                add.u64 count, count, 4;
                @first st.global.u32 [count], n;
                END:
                """,
                64,
                buffers());
        for (int seed = 0; seed < 20; seed++) {
            RunEnd.Completed run = text.completed(seed);
            assertThat(run.buffer("count")[4]).isEqualTo((byte) 7);
            assertThat(run.statistics().steps()).as("seed " + seed).isLessThan(100_000);
        }
    }

    /** A lock that two warps take in turn, by one lane each. */
    @Test
    void aLockIsHandedOn() {
        PtxText text = PtxText.of(REGISTERS + """
                and.b32 v, t, 31;
                setp.ne.u32 first, v, 0;
                @first bra END;
                mov.u32 i, 0;
                AGAIN:
                atom.acquire.gpu.global.cas.b32 v, [flag], 0, 1;
                setp.ne.u32 q, v, 0;
                @q bra AGAIN;
                ld.global.u32 n, [count];
                add.u32 n, n, 1;
                st.global.u32 [count], n;
                mov.u32 v, 0;
                st.release.gpu.global.u32 [flag], v;
                add.u32 i, i, 1;
                setp.lt.u32 q, i, 10;
                @q bra AGAIN;
                END:
                """, 64, buffers());
        for (int seed = 0; seed < 20; seed++) {
            RunEnd.Completed run = text.completed(seed);
            assertThat(run.buffer("count")[0]).as("seed " + seed).isEqualTo((byte) 20);
            assertThat(run.statistics().steps()).as("seed " + seed).isLessThan(100_000);
        }
    }

    @Test
    void whoSpinsForWhatNobodyWritesIsNamed() {
        Finding finding =
                PtxText.of(REGISTERS + """
                add.u32 bar, at, 64;
                setp.eq.u32 first, t, 0;
                @first mbarrier.init.shared::cta.b64 [bar], 1;
                bar.sync 0;
                @poller bra SPIN;
                WAIT:
                mbarrier.try_wait.parity.shared::cta.b64 q, [bar], 0;
                @!q bra WAIT;
                bra END;
                """ + SPIN + """
                @first mbarrier.arrive.shared::cta.b64 _, [bar];
                END:
                """, 64, buffers()).finding();
        assertThat(finding.hazard()).isInstanceOf(Hazard.NoProgress.class);
        List<String> waiters = ((Hazard.NoProgress) finding.hazard())
                .waiters().stream().map(Object::toString).toList();
        assertThat(finding.message()).startsWith("no end after 2000000 steps");
        assertThat(waiters)
                .anyMatch(waiter -> waiter.contains("ld.acquire.gpu.global.u32")
                        && waiter.endsWith("waits for what others do, and asks again and again"))
                .anyMatch(waiter -> waiter.contains("waits for phase 0 (parity 0) of smem+64"));
        assertThat(finding.site().instruction()).startsWith("ld.acquire");
    }
}
