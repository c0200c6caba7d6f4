package dev.tilewright.emulator.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.foreign.PtxLaunch;
import dev.tilewright.emulator.hazard.Hazard;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads, stores, atomics, exchange and barriers in bodies of a few lines: %r1 is the thread, %rd1 the buffer. */
class AccessTest {
    private static PtxLaunch launch(int threads, int[] data, String body) {
        String text = """
                .version 8.6
                .target sm_90a
                .address_size 64
                .visible .entry body(.param .u64 data)
                {
                    .reg .b16 %h<10>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<10>; .reg .f64 %d<10>;
                    .reg .pred %p<10>;
                    .shared .align 16 .b8 tile[256];
                    .local .align 16 .b8 mine[32];
                    ld.param.u64 %rd1, [data];
                    mov.u32 %r1, %tid.x;
                    mul.wide.u32 %rd2, %r1, 4;
                    add.s64 %rd2, %rd2, %rd1;
                    mul.lo.u32 %r2, %r1, 4;
                    mov.u32 %r3, tile;
                    add.u32 %r2, %r2, %r3;
                    BODY
                    ret;
                }
                """.replace("BODY", body);
        return new PtxLaunch(text, "body").block(threads, 1, 1).words("data", data);
    }

    private static int[] run(int threads, int[] data, String body) {
        return launch(threads, data, body).run(1).words("data");
    }

    @ParameterizedTest
    @CsvSource({
        "global.u8,%rd1,0xf2",
        "global.s8,%rd1,0xfffffff2",
        "global.u16,%rd1,0x80f2",
        "global.s16,%rd1,0xffff80f2",
        "volatile.global.s8,%rd1,0xfffffff2",
        "relaxed.gpu.global.u8,%rd1,0xf2",
        "acquire.sys.global.s16,%rd1,0xffff80f2",
        "global.nc.u8,%rd1,0xf2",
        "global.ca.b16,%rd1,0x80f2",
        "s8,%rd1,0xfffffff2",
        "relaxed.cta.u16,%rd1,0x80f2",
        "weak.global.cv.u8,%rd1,0xf2"
    })
    void loadsIntoWiderRegisters(String form, String base, String expected) {
        int[] data = {0x123480F2, 0};
        String body = "ld." + form + " %r4, [" + base + "]; st.global.u32 [%rd1+4], %r4;";
        assertThat(run(1, data, body)[1]).isEqualTo(Long.decode(expected).intValue());
    }

    @Test
    void narrowStoresOfWideRegisters() {
        String body = """
                mov.u32 %r4, 0x12345678;
                st.global.u8 [%rd1+1], %r4;
                st.release.gpu.global.u16 [%rd1+6], %r4;
                st.shared.u8 [tile+3], %r4;
                ld.shared.s8 %r5, [tile+3];
                st.volatile.shared.u16 [%r3+8], %r4;
                ld.volatile.shared.u16 %r6, [tile+8];
                add.u32 %r5, %r5, %r6;
                st.wt.global.u32 [%rd1+8], %r5;
                """;
        assertThat(run(1, new int[3], body)).containsExactly(0x7800, 0x56780000, 0x78 + 0x5678);
    }

    @Test
    void vectors() {
        String body = """
                ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd1];
                st.local.v4.u32 [mine+16], {%r7, %r6, %r5, %r4};
                ld.local.v2.u64 {%rd4, %rd5}, [mine+16];
                st.shared.v2.u64 [tile], {%rd5, %rd4};
                ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r3];
                ld.shared.v4.u8 {%r8, %r9, %r10, %r11}, [tile+4];
                st.global.L1::evict_last.v4.u32 [%rd1+16], {%r4, %r5, %r6, %r7};
                st.global.v4.u8 [%rd1], {%r8, %r9, %r10, %r11};
                """;
        assertThat(run(1, new int[] {0x1111, 0x2222, 0x3333, 0x4444, 0, 0, 0, 0}, body))
                .containsExactly(0x1111, 0x2222, 0x3333, 0x4444, 0x2222, 0x1111, 0x4444, 0x3333);
        assertThat(launch(1, new int[8], "add.s64 %rd1, %rd1, 8; ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd1];")
                        .finding(0)
                        .hazard())
                .isInstanceOf(Hazard.Misaligned.class);
    }

    @ParameterizedTest
    @CsvSource({
        "add.u32, 5, 501",
        "min.s32, -7, -7",
        "min.u32, -7, 5",
        "max.s32, -7, 5",
        "max.u32, -7, -7",
        "and.b32, 4, 4",
        "or.b32, 2, 7",
        "exch.b32, 9, 9",
        "inc.u32, 4, 0",
        "inc.u32, 9, 6",
        "dec.u32, 3, 3",
        "dec.u32, 9, 4",
        "xor.b32, 1, 4"
    })
    void atomicsOnWords(String operation, int b, int expected) {
        int first = operation.startsWith("add") ? 496 : 5;
        for (String space : new String[] {"", ".global", ".shared"}) {
            boolean shared = space.equals(".shared");
            String address = shared ? "tile" : "%rd1";
            String body = (shared ? "ld.global.u32 %r4, [%rd1]; st.shared.u32 [tile], %r4;" : "")
                    + "atom" + space + "." + operation + " %r5, [" + address + "], " + b + ";"
                    + (shared ? "ld.shared.u32 %r4, [tile]; st.global.u32 [%rd1], %r4;" : "")
                    + "st.global.u32 [%rd1+4], %r5;";
            assertThat(run(1, new int[] {first, 0}, body)).containsExactly(expected, first);
        }
    }

    @Test
    void comparedAndSwapped() {
        String body = """
                atom.acq_rel.gpu.global.cas.b32 %r4, [%rd1], 5, 6;
                atom.cas.b32 %r5, [%rd1], 5, 7;
                atom.global.cas.b64 %rd4, [%rd1+8], -1, 3;
                mov.b16 %h1, 2;
                mov.b16 %h2, 8;
                atom.global.cas.b16 %h3, [%rd1+6], %h1, %h2;
                red.release.gpu.global.add.u32 [%rd1], %r4;
                """;
        assertThat(run(1, new int[] {5, 0x20001, -1, -1}, body)).containsExactly(11, 0x80001, 3, 0);
    }

    /** Sums of f32 lose subnormals in global memory alone. */
    @Test
    void sumsOfFloats() {
        int tiny = 0x00400000;
        String body = """
                ld.global.f32 %f1, [%rd1];
                st.shared.f32 [tile], %f1;
                atom.shared.add.f32 %f2, [tile], %f1;
                atom.global.add.f32 %f3, [%rd1], %f1;
                ld.shared.f32 %f4, [tile];
                st.global.f32 [%rd1+4], %f4;
                mov.b64 %rd4, 0x3FF0000000000000;
                mov.b64 %d1, %rd4;
                red.global.add.f64 [%rd1+8], %d1;
                """;
        assertThat(run(1, new int[] {tiny, 0, 0, 0x40000000}, body)).containsExactly(0, 2 * tiny, 0, 0x40080000);
    }

    @Test
    void halvesAndVectors() {
        String body = """
                mov.b32 %r4, 0x3C004000;
                atom.global.add.noftz.f16x2 %r5, [%rd1], %r4;
                red.global.add.noftz.bf16x2 [%rd1+4], 0x3F804000;
                mov.b32 %f1, 0x3F800000;
                mov.b32 %f2, 0x40000000;
                atom.global.v2.f32.add {%f3, %f4}, [%rd1+8], {%f1, %f2};
                st.global.f32 [%rd1+16], %f4;
                mov.b16 %h1, 0xC000;
                mov.b16 %h2, 0x4000;
                red.global.v2.f16.min.noftz [%rd1+20], {%h1, %h2};
                """;
        int[] data = {0x3C003C00, 0x3F803F80, 0x3F800000, 0x40400000, 0, 0x3C003C00};
        assertThat(run(1, data, body))
                .containsExactly(0x40004200, 0x40004040, 0x40000000, 0x40A00000, 0x40400000, 0x3C00C000);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4})
    void exchangeInAWarp(long seed) {
        String body = """
                rem.u32 %r4, %r1, 5;
                match.any.sync.b32 %r5, %r4, -1;
                setp.lt.u32 %p1, %r1, 8;
                match.all.sync.b32 %r6|%p2, 7, -1;
                redux.sync.add.s32 %r7, %r1, -1;
                redux.sync.max.u32 %r8, %r4, -1;
                sub.u32 %r9, %r1, 10;
                redux.sync.min.s32 %r9, %r9, -1;
                redux.sync.xor.b32 %r10, %r1, -1;
                vote.sync.ballot.b32 %r11, !%p1, -1;
                vote.sync.any.pred %p3, !%p2, -1;
                elect.sync %r12|%p4, -1;
                selp.u32 %r13, 1, 0, %p4;
                add.u32 %r5, %r5, %r6;
                add.u32 %r5, %r5, %r7;
                add.u32 %r5, %r5, %r8;
                add.u32 %r5, %r5, %r9;
                add.u32 %r5, %r5, %r10;
                add.u32 %r5, %r5, %r11;
                @%p3 add.u32 %r5, %r5, 100000;
                add.u32 %r5, %r5, %r13;
                st.global.u32 [%rd2], %r5;
                """;
        int[] result = launch(32, new int[32], body).run(seed).words("data");
        int leaders = 0;
        for (int i = 0; i < 32; i++) {
            int same = 0;
            for (int j = i % 5; j < 32; j += 5) {
                same |= 1 << j;
            }
            int rest = result[i] - (same - 1 + 31 * 16 + 4 - 10 + 0 + 0xFFFFFF00);
            assertThat(rest).isBetween(0, 1);
            leaders += rest;
        }
        assertThat(leaders).isOne();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5})
    void votesOfABlock(long seed) {
        String body = """
                setp.lt.u32 %p1, %r1, 70;
                bar.red.popc.u32 %r4, 0, %p1;
                bar.red.and.pred %p2, 0, %p1;
                bar.red.or.pred %p3, 0, !%p1;
                setp.ge.u32 %p4, %r1, 64;
                @%p4 bra REST;
                barrier.cta.red.popc.u32 %r5, 3, 64, !%p1;
                bra.uni OUT;
                REST:
                mov.u32 %r5, 50;
                OUT:
                mad.lo.u32 %r4, %r4, 1000, %r5;
                @%p2 add.u32 %r4, %r4, 1000000;
                @%p3 add.u32 %r4, %r4, 2000000;
                st.global.u32 [%rd2], %r4;
                """;
        assertThat(launch(100, new int[100], body).run(seed).words("data"))
                .isEqualTo(IntStream.range(0, 100)
                        .map(i -> 2070000 + (i < 64 ? 0 : 50))
                        .toArray());
    }

    /** A count of threads is one of warps: lanes that have ended arrive with the others. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3})
    void countsAreOfWarps(long seed) {
        String body = """
                setp.gt.u32 %p1, %r1, 40;
                @%p1 exit;
                st.shared.u32 [%r2], %r1;
                bar.sync 1, 64;
                xor.b32 %r4, %r2, 128;
                setp.lt.u32 %p2, %r1, 9;
                @%p2 ld.shared.u32 %r5, [%r4];
                @%p2 st.global.u32 [%rd2], %r5;
                bar.arrive 2, 64;
                """;
        assertThat(launch(60, new int[60], body).run(seed).words("data"))
                .isEqualTo(IntStream.range(0, 60).map(i -> i < 9 ? i + 32 : 0).toArray());
        assertThat(launch(60, new int[60], "mov.u32 %r4, 33; bar.sync 1, %r4;")
                        .finding(0)
                        .message())
                .contains("must be a multiple of 32, got 33");
    }

    @Test
    void specialRegisters() {
        String[] names = {
            "laneid",
            "warpid",
            "nwarpid",
            "ntid.x",
            "nctaid.y",
            "ctaid.x",
            "nsmid",
            "lanemask_eq",
            "lanemask_le",
            "lanemask_lt",
            "lanemask_ge",
            "lanemask_gt",
            "cluster_ctarank",
            "cluster_nctarank",
            "clusterid.x",
            "nclusterid.x",
            "cluster_ctaid.x",
            "cluster_nctaid.x",
            "total_smem_size",
            "dynamic_smem_size"
        };
        StringBuilder body = new StringBuilder("setp.ne.u32 %p1, %r1, 37; @%p1 ret;\n");
        for (int i = 0; i < names.length; i++) {
            body.append("mov.u32 %r4, %").append(names[i]).append("; st.global.u32 [%rd1+" + 4 * i + "], %r4;\n");
        }
        int[] values = launch(48, new int[names.length], body.toString()).run(0).words("data");
        assertThat(values).containsExactly(5, 1, 2, 48, 1, 0, 4, 32, 63, 31, -32, -64, 0, 1, 0, 1, 0, 1, 256, 0);
        String clocks = """
                mov.u64 %rd4, %clock64;
                mov.u64 %rd5, %globaltimer;
                mov.u32 %r4, %clock;
                mov.u32 %r5, %globaltimer_lo;
                mov.u64 %rd6, %clock64;
                sub.u64 %rd6, %rd6, %rd4;
                st.global.u64 [%rd1], %rd6;
                """;
        assertThat(run(1, new int[2], clocks)[0]).isPositive();
    }

    @Test
    void addressesOutsideOfEverything() {
        assertThat(launch(1, new int[2], "ld.u32 %r4, [%rd1+8];").finding(0).hazard())
                .isInstanceOf(Hazard.OutOfBounds.class);
        assertThat(launch(1, new int[2], "mov.b64 %rd4, 0; st.u32 [%rd4], %r1;")
                        .finding(0)
                        .hazard())
                .isInstanceOf(Hazard.OutOfBounds.class);
        assertThat(launch(1, new int[2], "prefetch.global.L2 [%rd1+4096]; prefetchu.L1 [%rd1];")
                        .run(0)
                        .words("data"))
                .containsExactly(0, 0);
    }
}
