package dev.tilewright.emulator.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxText;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Lanes of a warp that exchange and wait while others do something else, or have left. PTX 9.7.9.6, 9.7.13. */
class LanesTogetherTest {

    private static final String HEAD = """
            .reg .b32 %r<20>;
            .reg .b64 %rd<6>;
            .reg .pred %p<6>;
            .reg .f32 %f<2>;
            ld.param.u64 %rd1, [p0];
            cvta.to.global.u64 %rd1, %rd1;
            mov.u32 %r1, %tid.x;
            mul.wide.u32 %rd2, %r1, 4;
            add.s64 %rd2, %rd1, %rd2;
            """;

    private static PtxText kernel(String body, int threads) {
        return PtxText.of(HEAD + body, threads, Buffer.of("out", new byte[4 * threads]));
    }

    private static IntBuffer out(String body, int threads) {
        return ints(kernel(body, threads).clean("out"));
    }

    private static IntBuffer ints(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
    }

    /** As compilers write an early return: nobody waits for the threads that took it. */
    @Test
    void threadsThatReturnEarlyAreNotWaitedFor() {
        IntBuffer out = out("""
                setp.ge.u32 %p1, %r1, 40;
                @%p1 bra END;
                bar.sync 0;
                and.b32 %r2, %r1, 32;
                setp.eq.u32 %p2, %r2, 0;
                selp.b32 %r3, -1, 0xff, %p2;
                shfl.sync.idx.b32 %r4, %r1, 7, 31, %r3;
                bar.sync 0;
                st.global.u32 [%rd2], %r4;
                END:
                """, 64);
        assertThat(out.get(39)).isEqualTo(39);
        assertThat(out.get(31)).isEqualTo(7);
        assertThat(out.get(40)).isZero();
    }

    /** One lane after the other leaves a loop for the end. */
    @Test
    void lanesThatLeaveALoopForTheEndAreNotWaitedFor() {
        IntBuffer out = out("""
                mov.u32 %r2, 0;
                setp.eq.u32 %p2, %r2, 0;
                LOOP:
                st.global.u32 [%rd2], %r2;
                setp.eq.u32 %p1, %r2, %r1;
                @%p1 bra GONE;
                shl.b32 %r5, -1, %r2;
                shl.b32 %r5, %r5, 1;
                vote.sync.ballot.b32 %r6, %p2, %r5;
                add.u32 %r2, %r2, 1;
                bra LOOP;
                GONE:
                bra.uni END;
                END:
                """, 32);
        for (int lane = 0; lane < 32; lane++) {
            assertThat(out.get(lane)).isEqualTo(lane);
        }
    }

    /** Lanes of one residue name each other, and each group exchanges by itself. */
    @Test
    void eachGroupOfAMaskExchangesByItself() {
        IntBuffer out = out("""
                and.b32 %r2, %r1, 3;
                match.any.sync.b32 %r3, %r2, -1;
                redux.sync.add.u32 %r4, %r1, %r3;
                shfl.sync.idx.b32 %r5, %r1, %r2, 31, %r3;
                elect.sync %r6|%p1, %r3;
                bar.warp.sync %r3;
                sub.u32 %r4, %r4, %r5;
                mad.lo.u32 %r4, %r6, 1000, %r4;
                st.global.u32 [%rd2], %r4;
                """, 32);
        for (int lane = 0; lane < 32; lane++) {
            int first = lane & 3;
            int sum = 8 * first + 4 * (7 * 8 / 2);
            assertThat(out.get(lane)).as("lane " + lane).isEqualTo(sum - first + 1000 * first);
        }
    }

    /** The halves of a warp have a meeting each, on either side of a branch. */
    @Test
    void lanesOfDifferentMasksMeetByThemselves() {
        out("""
                mov.u32 %r2, smem;
                shl.b32 %r3, %r1, 2;
                add.u32 %r3, %r2, %r3;
                xor.b32 %r4, %r1, 1;
                shl.b32 %r4, %r4, 2;
                add.u32 %r4, %r2, %r4;
                setp.lt.u32 %p1, %r1, 16;
                @%p1 bra LOW;
                st.shared.u32 [%r3], %r1;
                bar.warp.sync 0xffff0000;
                ld.shared.u32 %r5, [%r4];
                st.global.u32 [%rd2], %r5;
                bra DONE;
                LOW:
                st.shared.u32 [%r3], %r1;
                bar.warp.sync 0xffff;
                ld.shared.u32 %r5, [%r4];
                st.global.u32 [%rd2], %r5;
                DONE:
                bar.warp.sync -1;
                """, 32);
    }

    @Test
    void whoWaitsForAllIsReleasedByThoseThatExit() {
        IntBuffer out = out("""
                setp.ge.u32 %p1, %r1, 8;
                @%p1 bra WAITS;
                st.global.u32 [%rd2], 1;
                exit;
                WAITS:
                bar.warp.sync -1;
                st.global.u32 [%rd2], 2;
                """, 32);
        assertThat(out.get(7)).isEqualTo(1);
        assertThat(out.get(8)).isEqualTo(2);
    }

    /** A lane that lives and is elsewhere is missed. */
    @Test
    void aLaneThatIsElsewhereIsMissed() {
        Finding finding = kernel("""
                setp.ge.u32 %p1, %r1, 8;
                @%p1 bra OTHERS;
                shfl.sync.idx.b32 %r4, %r1, 0, 31, 0x1ff;
                OTHERS:
                st.global.u32 [%rd2], %r1;
                """, 32).finding();
        assertThat(finding.hazard()).isInstanceOf(Hazard.Divergent.class);
        assertThat(finding.message()).contains("shfl.sync of lanes 0x1ff executed by lanes 0xff");
    }

    /** A reduction over fewer lanes than a warp has reads beyond them, and has to leave out what it finds there. */
    @Test
    void whatNobodyGivesDiffersFromRunToRun() {
        PtxText kernel = kernel("""
                setp.ge.u32 %p1, %r1, 8;
                @%p1 bra END;
                shfl.sync.down.b32 %r4|%p2, %r1, 4, 31, 0xff;
                mov.b32 %f1, %r4;
                max.f32 %f1, %f1, 0f3F800000;
                mov.b32 %r5, %f1;
                setp.lt.u32 %p3, %r1, 4;
                selp.b32 %r4, %r4, %r5, %p3;
                st.global.u32 [%rd2], %r4;
                END:
                """, 32);
        Set<Integer> maxima = new HashSet<>();
        for (int seed = 0; seed < 8; seed++) {
            IntBuffer out = ints(kernel.completed(seed).buffer("out"));
            assertThat(out.get(3)).isEqualTo(7);
            maxima.add(out.get(4));
        }
        assertThat(maxima).hasSizeGreaterThan(1);
    }

    /** Lane 2 comes to the meeting of the first three only when lane 3 has left its own, which has another mask. */
    @Test
    void lanesOfOneMaskDoNotWaitForThoseOfAnother() {
        out("""
                setp.gt.u32 %p1, %r1, 3;
                @%p1 bra END;
                setp.eq.u32 %p2, %r1, 3;
                selp.b32 %r3, 0x8, 0x7, %p2;
                setp.eq.u32 %p3, %r1, 2;
                @%p3 bra SPIN;
                bar.warp.sync %r3;
                @%p2 st.relaxed.gpu.global.u32 [%rd1+12], 1;
                bra DONE;
                SPIN:
                ld.relaxed.gpu.global.u32 %r4, [%rd1+12];
                setp.eq.u32 %p4, %r4, 0;
                @%p4 bra SPIN;
                bar.warp.sync 0x7;
                DONE:
                st.global.u32 [%rd2+64], %r1;
                END:
                """, 32);
    }
}
