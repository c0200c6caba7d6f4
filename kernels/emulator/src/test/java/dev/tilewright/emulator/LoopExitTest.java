package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.run.Buffer;
import org.junit.jupiter.api.Test;

/** Lanes that part before or in a loop that nothing but the end of the kernel leaves. */
class LoopExitTest {
    private static final String BEGIN = """
            .reg .b32 r<9>; .reg .pred q<6>; .reg .b64 a<3>;
            ld.param.u64 a0, [p0];
            mov.u32 r1, %tid.x;
            mov.u32 r2, smem;
            mul.wide.u32 a1, r1, 4;
            add.u64 a1, a1, a0;
            """;

    private static final String INIT = """
            setp.ne.u32 q1, r1, 0;
            @q1 bra L1;
            mbarrier.init.shared::cta.b64 [r2], 2;
            L1:
            """;

    private static byte[] run(String body) {
        return PtxText.of(BEGIN + body, 32, Buffer.uninitialised("out", 128)).clean("out");
    }

    @Test
    void anIfBeforeAWaitThatEndsTheKernelKeepsItsLanes() {
        byte[] out = run(INIT + """
                bar.sync 0;
                st.global.u32 [a1], r1;
                setp.gt.u32 q3, r1, 1;
                @q3 bra W;
                mbarrier.arrive.shared::cta.b64 _, [r2];
                W: mbarrier.try_wait.parity.shared::cta.b64 q2, [r2], 0;
                @q2 bra D;
                bra W;
                D: ret;
                """);
        assertThat(out[4 * 31]).isEqualTo((byte) 31);
    }

    @Test
    void lanesMeetInALoopWhoseOnlyExitEndsTheKernel() {
        // Each turn parts the lanes and needs all of them again: by a shuffle, a vote and a barrier.
        byte[] out = run(INIT + """
                bar.warp.sync -1;
                mov.u32 r3, 0;
                mov.u32 r4, 0;
                LOOP:
                and.b32 r5, r1, 1;
                setp.eq.u32 q2, r5, 0;
                @q2 bra EVEN;
                add.u32 r4, r4, 3;
                bra JOIN;
                EVEN:
                add.u32 r4, r4, 1;
                JOIN:
                shfl.sync.bfly.b32 r4, r4, 1, 31, -1;
                st.global.u32 [a1], r4;
                add.u32 r3, r3, 1;
                setp.eq.u32 q3, r3, 4;
                @q3 bra END;
                bar.sync 0;
                bra LOOP;
                END: ret;
                """);
        // The two of a pair take turns at adding 1 and 3.
        assertThat(out[0]).isEqualTo((byte) 8);
        assertThat(out[4]).isEqualTo((byte) 8);
    }

    @Test
    void lanesLeaveALoopWithinItsArms() {
        // Lane 16 leaves in the first turn, lane 17 in the second and so on; the rest meet at the barrier.
        byte[] out = run("""
                mov.u32 r3, 15;
                LOOP:
                add.u32 r3, r3, 1;
                st.global.u32 [a1], r3;
                setp.lt.u32 q2, r1, 16;
                @q2 bra LOW;
                setp.eq.u32 q3, r3, r1;
                @q3 bra END;
                bra JOIN;
                LOW:
                setp.eq.u32 q4, r3, 31;
                @q4 bra END;
                JOIN:
                bar.sync 0;
                bra LOOP;
                END: ret;
                """);
        assertThat(out[4 * 31]).isEqualTo((byte) 31);
        assertThat(out[4 * 16]).isEqualTo((byte) 16);
        assertThat(out[4]).isEqualTo((byte) 31);
    }

    @Test
    void aLoopWithoutAnEndStillJoinsTheLanesWithinIt() {
        PtxText text = PtxText.of(BEGIN + """
                LOOP:
                setp.lt.u32 q2, r1, 16;
                @q2 bra LOW;
                add.u32 r1, r1, 0;
                LOW:
                bar.sync 0;
                bra LOOP;
                """, 32, Buffer.uninitialised("out", 128));
        assertThat(text.finding().message()).startsWith("no end after 2000000 steps");
    }
}
