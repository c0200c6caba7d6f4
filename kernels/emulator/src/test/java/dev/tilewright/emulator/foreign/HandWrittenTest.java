package dev.tilewright.emulator.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.emulator.hazard.Hazard;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Control flow, calls, variables and state spaces in small texts. */
class HandWrittenTest {
    private static final String HEAD = ".version 8.3\n.target sm_90a\n.address_size 64\n";

    private static int[] iota(int n) {
        return IntStream.range(0, n).toArray();
    }

    /** A switch whose branches end at a common label, one of them in a return: all other lanes meet at the barrier. */
    private static final String SWITCH = HEAD + """
            .visible .entry choose(.param .u64 out)
            {
                .reg .b32 %r<6>; .reg .b64 %rd<4>; .reg .pred %p<3>;
                ld.param.u64 %rd1, [out];
                cvta.to.global.u64 %rd1, %rd1;
                mov.u32 %r1, %tid.x;
                mul.wide.u32 %rd2, %r1, 4;
                add.s64 %rd1, %rd1, %rd2;
                and.b32 %r2, %r1, 7;
                setp.gt.u32 %p1, %r2, 4;
                mov.u32 %r3, 1000;
                @%p1 bra OUT;
                table: .branchtargets ZERO, ONE, OUT, GONE, ONE;
                brx.idx %r2, table;
            ZERO:
                mov.u32 %r3, 10;
                bra.uni OUT;
            ONE:
                add.u32 %r3, %r2, 20;
                bra.uni OUT;
            GONE:
                st.global.u32 [%rd1], 7;
                ret;
            OUT:
                bar.sync 0;
                activemask.b32 %r4;
                popc.b32 %r4, %r4;
                mad.lo.u32 %r3, %r4, 10000, %r3;
                st.global.u32 [%rd1], %r3;
                ret;
            }
            """;

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void tableOfJumps(long seed) {
        int[] out = new PtxLaunch(SWITCH, "choose")
                .block(64, 1, 1)
                .words("out", new int[64])
                .run(seed)
                .words("out");
        int[] way = {10, 21, 1000, 7, 24, 1000, 1000, 1000};
        assertThat(out)
                .isEqualTo(IntStream.range(0, 64)
                        .map(i -> i % 8 == 3 ? 7 : 280000 + way[i % 8])
                        .toArray());
    }

    @Test
    void indexBeyondTheTable() {
        String text = SWITCH.replace("@%p1 bra OUT;", "");
        assertThat(new PtxLaunch(text, "choose")
                        .words("out", new int[64])
                        .finding(1)
                        .message())
                .contains("brx.idx with index 5 of a table of 5")
                .contains("lane 5");
    }

    /** Lanes that end inside of an inner branch must not keep the others from meeting behind the outer one. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5})
    void returnsInsideOfBranches(long seed) {
        String text = HEAD + """
                .visible .entry leave(.param .u64 out)
                {
                    .reg .b32 %r<6>; .reg .b64 %rd<4>; .reg .pred %p<4>;
                    ld.param.u64 %rd1, [out];
                    mov.u32 %r1, %tid.x;
                    mul.wide.u32 %rd2, %r1, 4;
                    add.s64 %rd1, %rd1, %rd2;
                    mov.u32 %r2, 5;
                    setp.lt.u32 %p1, %r1, 12;
                    @!%p1 bra REST;
                    setp.lt.u32 %p2, %r1, 3;
                    @!%p2 bra STAY;
                    exit;
                STAY:
                    mov.u32 %r2, 6;
                REST:
                    vote.sync.ballot.b32 %r3, %p1, 0xfffffff8;
                    add.u32 %r3, %r3, %r2;
                    st.global.u32 [%rd1], %r3;
                    bar.sync 0;
                    ret;
                }
                """;
        int[] out =
                new PtxLaunch(text, "leave").words("out", new int[32]).run(seed).words("out");
        assertThat(out)
                .isEqualTo(IntStream.range(0, 32)
                        .map(i -> i < 3 ? 0 : 0xFF8 + (i < 12 ? 6 : 5))
                        .toArray());
    }

    private static final String CALLS = HEAD + """
            .global .align 4 .u32 factors[4] = {3, 5, 7, 11};
            .const .align 4 .u32 bias[2] = {100, 200};
            .global .align 8 .u64 pointers[3] = {factors, generic(factors)+8, generic(bias)+4};
            .visible .func (.param .align 4 .b8 result[8]) both(.param .b32 x, .param .b64 at)
            {
                .reg .b32 %r<6>; .reg .b64 %rd<3>; .reg .pred %p;
                .local .align 4 .b8 kept[8];
                ld.param.b32 %r1, [x];
                ld.param.b64 %rd1, [at];
                st.local.u32 [kept+4], %r1;
                setp.gt.u32 %p, %r1, 20;
                @%p bra LARGE;
                ld.u32 %r2, [%rd1];
                mul.lo.u32 %r3, %r1, %r2;
                st.param.b32 [result], %r3;
                st.param.b32 [result+4], 1;
                ret;
            LARGE:
                ld.local.u32 %r4, [kept+4];
                st.param.v2.b32 [result], {%r4, 2};
                ret;
            }
            .visible .func (.param .b32 result) twice(.param .b32 x)
            {
                .reg .b32 %r; .reg .b64 %rd;
                .param .b32 inner; .param .b64 where; .param .align 4 .b8 back[8];
                ld.param.b32 %r, [x];
                st.param.b32 [inner], %r;
                ld.global.u64 %rd, [pointers+8];
                st.param.b64 [where], %rd;
                call (back), both, (inner, where);
                ld.param.b32 %r, [back];
                add.u32 %r, %r, %r;
                st.param.b32 [result], %r;
                ret;
            }
            .visible .entry calls(.param .u64 out)
            {
                .reg .b32 %r<8>; .reg .b64 %rd<6>; .reg .pred %p<3>;
                ld.param.u64 %rd1, [out];
                mov.u32 %r1, %tid.x;
                mul.wide.u32 %rd2, %r1, 4;
                add.s64 %rd1, %rd1, %rd2;
                mov.u32 %r3, 0;
                setp.ne.u32 %p1, %r1, 9;
                {
                    .param .b32 a; .param .b32 b;
                    st.param.b32 [a], %r1;
                    @%p1 call (b), twice, (a);
                    @%p1 ld.param.b32 %r3, [b];
                }
                {
                    .param .b32 a; .param .b64 w; .param .align 4 .b8 b[8];
                    st.param.b32 [a], %r1;
                    ld.global.u64 %rd3, [pointers+16];
                    st.param.b64 [w], %rd3;
                    call (b), both, (a, w);
                    ld.param.v2.b32 {%r4, %r5}, [b];
                }
                mad.lo.u32 %r3, %r4, 1000, %r3;
                add.u32 %r3, %r3, %r5;
                st.global.u32 [%rd1], %r3;
                bar.sync 0;
                ret;
            }
            """;

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7})
    void functionsInFunctions(long seed) {
        int[] out = new PtxLaunch(CALLS, "calls")
                .words("out", new int[32])
                .run(seed)
                .words("out");
        assertThat(out)
                .isEqualTo(IntStream.range(0, 32)
                        .map(i -> {
                            int twice = i == 9 ? 0 : 2 * (i > 20 ? i : 7 * i);
                            return 1000 * (i > 20 ? i : 200 * i) + twice + (i > 20 ? 2 : 1);
                        })
                        .toArray());
    }

    @Test
    void theHostWritesVariables() {
        int[] out = new PtxLaunch(CALLS, "calls")
                .words("out", new int[32])
                .variable("bias", PtxLaunch.bytes(0, 1))
                .variable("factors", PtxLaunch.bytes(1, 1, 50, 1))
                .run(3)
                .words("out");
        assertThat(out[4]).isEqualTo(4000 + 400 + 1);
    }

    @Test
    void aVariableOfAnotherSize() {
        PtxLaunch launch =
                new PtxLaunch(CALLS, "calls").words("out", new int[32]).variable("bias", new byte[4]);
        assertThatThrownBy(() -> launch.run(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("variable bias has 8 bytes, the buffer of its name 4");
    }

    /** One address of each space through generic loads and stores, and what isspacep says of it. */
    @Test
    void genericAddresses() {
        String text = HEAD + """
                .const .align 4 .u32 constant = 40;
                .global .align 4 .u32 variable = 50;
                .visible .entry spaces(.param .u64 out, .param .align 4 .b8 struct[8])
                {
                    .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<8>;
                    .shared .align 4 .b8 tile[64];
                    .local .align 4 .b8 mine[16];
                    ld.param.u64 %rd1, [out];
                    cvta.shared.u64 %rd2, tile+8;
                    cvta.local.u64 %rd3, mine+4;
                    mov.u64 %rd4, struct;
                    cvta.param.u64 %rd4, %rd4;
                    cvta.const.u64 %rd5, constant;
                    cvta.global.u64 %rd6, variable;
                    mov.u32 %r1, %tid.x;
                    setp.ne.u32 %p0, %r1, 0;
                    @%p0 bra LATER;
                    st.u32 [%rd2], 20;
                LATER:
                    bar.sync 0;
                    add.u32 %r2, %r1, 30;
                    st.u32 [%rd3], %r2;
                    ld.u32 %r3, [%rd2];
                    ld.u32 %r4, [%rd3];
                    ld.u32 %r5, [%rd4+4];
                    ld.u32 %r6, [%rd5];
                    ld.u32 %r7, [%rd6];
                    ld.local.u32 %r8, [mine+4];
                    cvta.to.local.u64 %rd7, %rd3;
                    ld.local.u32 %r9, [%rd7];
                    cvta.to.const.u64 %rd8, %rd5;
                    ld.const.u32 %r10, [%rd8];
                    add.u32 %r3, %r3, %r4;
                    add.u32 %r3, %r3, %r5;
                    add.u32 %r3, %r3, %r6;
                    add.u32 %r3, %r3, %r7;
                    add.u32 %r3, %r3, %r8;
                    add.u32 %r3, %r3, %r9;
                    add.u32 %r3, %r3, %r10;
                    isspacep.shared %p1, %rd2;
                    isspacep.local %p2, %rd3;
                    isspacep.const %p3, %rd5;
                    isspacep.global %p4, %rd6;
                    isspacep.global %p5, %rd2;
                    isspacep.local %p6, %rd6;
                    and.pred %p1, %p1, %p2;
                    and.pred %p1, %p1, %p3;
                    and.pred %p1, %p1, %p4;
                    or.pred %p5, %p5, %p6;
                    selp.u32 %r11, 1000, 0, %p1;
                    selp.u32 %r12, 5000, 0, %p5;
                    add.u32 %r3, %r3, %r11;
                    add.u32 %r3, %r3, %r12;
                    mul.wide.u32 %rd9, %r1, 4;
                    add.s64 %rd1, %rd1, %rd9;
                    st.u32 [%rd1], %r3;
                    ret;
                }
                """;
        int[] out = new PtxLaunch(text, "spaces")
                .words("out", new int[32])
                .struct(PtxLaunch.bytes(0, 60))
                .run(1)
                .words("out");
        assertThat(out)
                .isEqualTo(Arrays.stream(iota(32))
                        .map(i -> 20 + 60 + 40 + 50 + 40 + 3 * (30 + i) + 1000)
                        .toArray());
    }

    @Test
    void hazardsOfLocalAndConstantMemory() {
        String text = HEAD + """
                .const .align 4 .u32 constant = 40;
                .visible .entry bad(.param .u64 out)
                {
                    .reg .b32 %r<20>; .reg .b64 %rd<20>;
                    .local .align 4 .b8 mine[16];
                    BODY
                    ret;
                }
                """;
        assertThat(hazard(text, "ld.local.u32 %r1, [mine+4];"))
                .isInstanceOf(Hazard.UninitialisedRead.class)
                .extracting(Hazard::message)
                .asString()
                .contains("byte 4 of the local memory");
        assertThat(hazard(text, "st.local.u32 [mine+16], 1;")).isInstanceOf(Hazard.OutOfBounds.class);
        assertThat(hazard(text, "mov.u64 %rd1, mine; ld.local.u32 %r1, [%rd1+2];"))
                .isInstanceOf(Hazard.Misaligned.class);
        assertThat(hazard(text, "cvta.const.u64 %rd1, constant; st.u32 [%rd1], 1;"))
                .isInstanceOf(Hazard.BadOperand.class);
        assertThat(hazard(text, "ld.const.u32 %r1, [constant+4];")).isInstanceOf(Hazard.OutOfBounds.class);
    }

    private static Hazard hazard(String text, String body) {
        return new PtxLaunch(text.replace("BODY", body), "bad")
                .words("out", new int[32])
                .finding(0)
                .hazard();
    }

    @Test
    void whatCannotBeUnfolded() {
        String text = HEAD + """
                .extern .func (.param .b64 r) malloc(.param .b64 n);
                .visible .func loop(.param .b32 x)
                {
                    .param .b32 again;
                    st.param.b32 [again], 1;
                    call loop, (again);
                    ret;
                }
                .visible .entry bad()
                {
                    .param .b32 x; .param .b64 n; .param .b64 r;
                    st.param.b32 [x], 1;
                    call loop, (x);
                    st.param.b64 [n], 8;
                    call (r), malloc, (n);
                    ret;
                }
                """;
        assertThatThrownBy(() -> new PtxLaunch(text, "bad"))
                .hasMessageContaining("call of loop: a function that calls itself")
                .hasMessageContaining("call of malloc, which has no body here");
    }

    /** The site of a finding in a function is the function's line, and the registers carry its name. */
    @Test
    void findingsInsideOfFunctions() {
        String text = CALLS.replace("ld.u32 %r2, [%rd1];", "add.u32 %r2, %r2, 1;");
        var finding = new PtxLaunch(text, "calls").words("out", new int[32]).finding(0);
        assertThat(finding.message()).contains("register both:%r3 of lane").contains("st.param.b32 [result], %r3;");
    }
}
