package dev.tilewright.emulator.asynchronous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxText;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Buffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** cp.async: what lands, when it may be read, and what goes wrong. */
class AsyncCopyTest {
    private static final int THREADS = 64;
    private static final int BYTES = 4096;

    private static byte[] content() {
        byte[] content = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            content[i] = (byte) (i * 31 + i / 256);
        }
        return content;
    }

    private static PtxText kernel(String body) {
        String head = """
                .reg .b32 t, base, at, other, bar, x, y, i, n;
                .reg .pred p, q;
                .reg .b64 in, out, s, w;
                mov.u32 t, %tid.x;
                mov.u32 base, smem;
                add.u32 bar, base, 32768;
                ld.param.u64 in, [p0];
                ld.param.u64 out, [p1];
                mad.wide.u32 in, t, 16, in;
                mad.wide.u32 out, t, 4, out;
                mad.lo.u32 at, t, 16, base;
                xor.b32 other, t, 33;
                mad.lo.u32 other, other, 16, base;
                """;
        return PtxText.of(head + body, THREADS, Buffer.of("in", content()), Buffer.of("out", new byte[BYTES]));
    }

    private static final String COPY = "cp.async.cg.shared.global [at], [in], 16;\n";

    /** Each thread stores the first word of what the other copied. */
    private static final String READ_OTHER = """
            ld.shared.b32 x, [other];
            st.global.b32 [out], x;
            """;

    private static void assertExchanged(byte[] out) {
        byte[] in = content();
        for (int thread = 0; thread < THREADS; thread++) {
            assertThat(Arrays.copyOfRange(out, 4 * thread, 4 * thread + 4))
                    .as("thread " + thread)
                    .isEqualTo(Arrays.copyOfRange(in, 16 * (thread ^ 33), 16 * (thread ^ 33) + 4));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cp.async.commit_group;\ncp.async.wait_group 0;\n", "cp.async.wait_all;\n"})
    void isReadAfterWaitAndBarrier(String wait) {
        assertExchanged(kernel(COPY + wait + "bar.sync 0;\n" + READ_OTHER).clean("out"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bar.sync 0;\n",
                "cp.async.commit_group;\nbar.sync 0;\n",
                "cp.async.wait_group 0;\nbar.sync 0;\n",
                "cp.async.commit_group;\ncp.async.wait_group 1;\nbar.sync 0;\n"
            })
    void isNotReadBefore(String wait) {
        assertThat(kernel(COPY + wait + READ_OTHER).finding().hazard()).isInstanceOf(Hazard.ReadBeforeCopy.class);
    }

    /** Without a barrier the other thread may not even have issued its copy. */
    @ParameterizedTest
    @ValueSource(strings = {"", "cp.async.wait_all;\n"})
    void isNotReadWithoutBarrier(String wait) {
        assertThat(kernel(COPY + wait + READ_OTHER).finding().hazard())
                .isInstanceOfAny(Hazard.ReadBeforeCopy.class, Hazard.UninitialisedRead.class);
    }

    @Test
    void smallCopiesShareAChunk() {
        byte[] out = kernel("""
                mad.lo.u32 at, t, 4, base;
                ld.param.u64 in, [p0];
                mad.wide.u32 in, t, 8, in;
                cp.async.ca.shared.global [at], [in], 4;
                cp.async.wait_all;
                bar.sync 0;
                xor.b32 other, t, 63;
                mad.lo.u32 other, other, 4, base;
                """ + READ_OTHER).clean("out");
        for (int thread = 0; thread < THREADS; thread++) {
            assertThat(out[4 * thread]).isEqualTo(content()[8 * (thread ^ 63)]);
        }
    }

    @Test
    void zerosFollowTheSource() {
        byte[] out = kernel("""
                and.b32 n, t, 15;
                cp.async.ca.shared.global [at], [in], 16, n;
                cp.async.wait_all;
                ld.shared.b32 x, [at+8];
                st.global.b32 [out], x;
                """).clean("out");
        for (int thread = 0; thread < THREADS; thread++) {
            for (int i = 0; i < 4; i++) {
                int expected = 8 + i < (thread & 15) ? content()[16 * thread + 8 + i] : 0;
                assertThat(out[4 * thread + i]).isEqualTo((byte) expected);
            }
        }
    }

    @Test
    void nothingIsReadOfASourceWithoutBytes() {
        kernel("""
                mov.u64 in, 0;
                mov.u32 n, 0;
                cp.async.cg.shared.global [at], [in], 16, n;
                cp.async.wait_all;
                """).clean("out");
        assertThat(kernel("mov.u32 n, 17;\ncp.async.cg.shared.global [at], [in], 16, n;\n")
                        .finding()
                        .message())
                .contains("reads at most as many, got 17");
        assertThat(kernel("cp.async.cg.shared.global [at+8], [in], 16;\n")
                        .finding()
                        .hazard())
                .isInstanceOf(Hazard.Misaligned.class);
        assertThat(kernel("cp.async.cg.shared.global [at], [in+4096], 16;\n")
                        .finding()
                        .hazard())
                .isInstanceOf(Hazard.OutOfBounds.class);
    }

    /** Three stages, two groups in flight: each thread sums a word that another has copied, over 8 steps. */
    private static PtxText pipeline(int pending, String beforeRefill) {
        return kernel("""
                mov.u32 y, 0;
                mov.u32 i, 0;
                cp.async.cg.shared.global [at], [in], 16;
                cp.async.commit_group;
                cp.async.cg.shared.global [at+1024], [in+256], 16;
                cp.async.commit_group;
                mov.u32 n, 2048;
                LOOP:
                cp.async.wait_group %d;
                bar.sync 0;
                rem.u32 x, i, 3;
                mad.lo.u32 x, x, 1024, other;
                ld.shared.b32 x, [x];
                add.u32 y, y, x;
                %s
                setp.lt.u32 p, i, 6;
                add.u64 in, in, 256;
                rem.u32 x, n, 3072;
                add.u32 x, x, at;
                add.u32 n, n, 1024;
                @p cp.async.cg.shared.global [x], [in+256], 16;
                cp.async.commit_group;
                add.u32 i, i, 1;
                setp.lt.u32 p, i, 8;
                @p bra LOOP;
                st.global.b32 [out], y;
                """.formatted(pending, beforeRefill));
    }

    @Test
    void pipelineOfThreeStages() {
        byte[] out = pipeline(1, "").clean("out");
        byte[] in = content();
        for (int thread = 0; thread < THREADS; thread++) {
            int sum = 0;
            for (int step = 0; step < 8; step++) {
                for (int i = 0; i < 4; i++) {
                    sum += (in[256 * step + 16 * (thread ^ 33) + i] & 255) << 8 * i;
                }
            }
            int got = 0;
            for (int i = 0; i < 4; i++) {
                got |= (out[4 * thread + i] & 255) << 8 * i;
            }
            assertThat(got).isEqualTo(sum);
        }
    }

    @Test
    void pipelineThatWaitsForTooLittle() {
        assertThat(pipeline(2, "").finding().hazard()).isInstanceOf(Hazard.ReadBeforeCopy.class);
    }

    /** An mbarrier tracks the copies: a thread that waits for its phase may read them all. */
    private static PtxText tracked(String arrive, int count) {
        return kernel("""
                setp.ne.u32 p, t, 0;
                @!p mbarrier.init.shared::cta.b64 [bar], %d;
                bar.sync 0;
                cp.async.cg.shared.global [at], [in], 16;
                %s
                WAIT: mbarrier.test_wait.parity.shared::cta.b64 p, [bar], 0;
                @!p bra WAIT;
                """.formatted(count, arrive) + READ_OTHER);
    }

    @Test
    void barriersTrackCopies() {
        assertExchanged(tracked("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [bar];\n", THREADS)
                .clean("out"));
        String both = "cp.async.mbarrier.arrive.shared::cta.b64 [bar];\nmbarrier.arrive.shared::cta.b64 s, [bar];\n";
        assertExchanged(tracked(both, THREADS).clean("out"));
    }

    @Test
    void barriersThatDoNotTrackCopies() {
        assertThat(tracked("mbarrier.arrive.shared::cta.b64 s, [bar];\n", THREADS)
                        .finding()
                        .hazard())
                .isInstanceOf(Hazard.ReadBeforeCopy.class);
        assertThat(tracked("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [bar];\n", THREADS + 1)
                        .finding()
                        .hazard())
                .isInstanceOf(Hazard.Deadlock.class);
    }

    /** A bulk store reads what cp.async brought: a write of the generic proxy, to be fenced after the wait. */
    private static PtxText storedBy(String order) {
        return kernel(COPY + order + """
                setp.ne.u32 p, t, 0;
                @p bra END;
                ld.param.u64 out, [p1];
                cp.async.bulk.global.shared::cta.bulk_group [out], [base], 1024;
                cp.async.bulk.commit_group;
                cp.async.bulk.wait_group 0;
                END:
                """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cp.async.wait_all;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n",
                "cp.async.wait_all;\nbar.sync 0;\nfence.proxy.async.shared::cta;\n"
            })
    void asynchronousReadersAreFenced(String order) {
        byte[] out = storedBy(order).clean("out");
        assertThat(Arrays.copyOf(out, 1024)).isEqualTo(Arrays.copyOf(content(), 1024));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cp.async.wait_all;\nbar.sync 0;\n",
                "fence.proxy.async.shared::cta;\ncp.async.wait_all;\nbar.sync 0;\n"
            })
    void asynchronousReadersAreNotFenced(String order) {
        assertThat(storedBy(order).finding().hazard()).isInstanceOf(Hazard.MissingProxyFence.class);
    }

    @Test
    void copiesOnTopOfEachOther() {
        assertThat(kernel(COPY + "cp.async.cg.shared.global [at], [in], 16;\ncp.async.wait_all;\n")
                        .finding()
                        .hazard())
                .isInstanceOf(Hazard.OverwrittenUnread.class);
        kernel(COPY + "cp.async.wait_all;\n" + COPY + "cp.async.wait_all;\n").clean("out");
    }
}
