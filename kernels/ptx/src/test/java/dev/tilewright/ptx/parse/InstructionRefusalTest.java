package dev.tilewright.ptx.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Instructions that do not exist, or that we do not know, are refused with the rule and the value. */
class InstructionRefusalTest {
    private static final String KERNEL = """
            .version 9.0
            .target sm_90a
            .visible .entry k(.param .u64 data) {
            .reg .b16 %h<4>; .reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .f32 %f<9>; .reg .f64 %d<4>; .reg .pred %p<4>;
            .shared .align 16 .b8 tile[64];
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            bfi.u32 %r1, %r1, %r1, 1, 2                     | bfi: type must be b32 or b64, got U32
            bfind.s16 %r1, %h1                              | bfind: type must be u32, u64, s32 or s64, got S16
            shf.l.b32 %r1, %r1, %r1, 3                      | needs .clamp
            addc.u16 %h1, %h1, %h1                          | add.cc: type must have 32 or 64 bits, got U16
            madc.wide.u32 %r1, %r1, %r1, %r1                | mad.cc: half must be lo or hi, got WIDE
            add.NaN.f32 %f1, %f1, %f1                       | add: NaN and xorsign go with min and max, got .NaN
            max.sat.f32 %f1, %f1, %f1                       | max: rounds and saturates nothing, got NONE .sat
            fma.rz.f16 %h1, %h1, %h1, %h1                   | fma.f16: rounding not allowed, got RZ
            rsqrt.rn.f32 %f1, %f1                           | rsqrt: rounding not allowed, got RN
            testp.finite.f16 %p1, %h1                       | testp: type must be f32 or f64, got F16
            setp.lt.f16x2 %p1, %r1, %r1                     | setp: a pair gives two predicates, got one
            setp.ltu.u32 %p1, %r1, %r1                      | setp.ltu: type not allowed, got .u32
            slct.f32.u32 %f1, %f1, %f1, %r1                 | slct: decides by s32 or f32, got .u32
            ld.global.L1::no_allocate.L3::128B.u32 %r1, [%rd1] | modifier .L3::128B is not supported here
            ld.const.u32 %r1, [tile]                        | no register or variable named tile in .const
            st.param.u32 [data], %r1                        | st: parameters of a kernel are read-only
            atom.global.and.f16x2 %r1, [%rd1], %r1          | atom.and: type not allowed, got .f16x2
            atom.global.add.v3.f32 {%f1, %f1, %f1}, [%rd1], {%f1, %f1, %f1} | atom: a vector has 2, 4 or 8 elements, got 3
            cp.async.cg.shared.global [tile], [%rd1], 8     | cp.async: bytes must be 4, 8 or 16, with .cg 16, got 8
            cp.async.ca.global.shared [%rd1], [tile], 8     | the source must be .global
            redux.sync.and.u32 %r1, %r1, -1                 | redux.and: type not allowed, got .u32
            barrier.cta.red.popc.u32 %r1, 16, %p1           | barrier.red: id must be in 0..15, got 16
            fence.acquire                                   | fence: needs a scope, got NONE
            fence.proxy.tensormap::generic.release.gpu      | proxy fences other than
            call foo, (%r1)                                 | no function named foo
            call %rd1                                       | calls through a register are not supported
            brx.idx %r1, L                                  | L is no table of labels before this place
            mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1} | mma: D takes 4 registers, got 1
            mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d1}, {%d1}, {%d1}, {%d1} | needs a shape .m16n8kK
            wgmma.mma_async.sync.aligned.m64n8k16.f32.e4m3.e4m3 {%f1}, %rd1, %rd1, 1, 1, 1 | K of .e4m3 is 32, got 16
            wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16 {%r1, %r2}, %rd1, %rd1, 1, 1, 1, 0, 0 | wgmma: types not allowed, got f16.bf16.bf16
            wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%r1}, %rd1, %rd1, 1 | wgmma: N=8 takes 4 registers of D, got 1
            cvt.rn.e4m3x2.f32 %h1, %f1, %f1                 | needs .satfinite
            cvta.global.u64 %rd1, tile                      | no register or variable named tile in .global
            mov.u32 %r1, nothing                            | no register named nothing
            mov.b64 %rd1, {%r1, %r2, %r3}                   | .b64 has no 3 parts
            ld.global.v2.u32 {%r1, %r2, %r3}, [%rd1]        | a vector of 2 is needed, got one of 3
            clusterlaunchcontrol.try_cancel.async.b128 [%r1], [%r2] | the instruction is not supported
            wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%rd1] | the instruction is not supported
            """)
    void refusalNamesTheRule(String instruction, String reason) {
        String text = KERNEL + "L: " + instruction + ";\n}\n";
        PtxParseException thrown = catchThrowableOfType(PtxParseException.class, () -> PtxParser.parse(text));
        assertThat(thrown).as(instruction).isNotNull();
        assertThat(thrown.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.reason()).startsWith(reason);
            assertThat(problem.subject()).isEqualTo(instruction.split(" ")[0]);
            assertThat(problem.at().line()).isEqualTo(6);
        });
    }
}
