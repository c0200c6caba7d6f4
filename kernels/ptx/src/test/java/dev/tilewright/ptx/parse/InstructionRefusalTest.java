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
            fence.proxy.tensormap::generic.release          | fence.proxy.tensormap: needs a scope, got NONE
            call foo, (%r1)                                 | no function named foo
            call %rd1                                       | a call through a register names a prototype
            brx.idx %r1, L                                  | L is no table of labels before this line
            mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1} | mma.m16n8k16.f32.f16.f16.f32: D takes 4 registers, got 1
            mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d1, %d2}, {%d1}, {%d1}, {%d1} | mma.m8n8k4.f64.f64.f64.f64: C takes 2 registers, got 1
            wgmma.mma_async.sync.aligned.m64n8k16.f32.e4m3.e4m3 {%f1}, %rd1, %rd1, 1, 1, 1 | K of .e4m3 is 32, got 16
            wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16 {%r1, %r2}, %rd1, %rd1, 1, 1, 1, 0, 0 | wgmma: types not allowed, got f16.bf16.bf16
            wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%r1}, %rd1, %rd1, 1 | wgmma: N=8 takes 4 registers of D, got 1
            cvt.rn.e4m3x2.f32 %h1, %f1, %f1                 | needs .satfinite
            cvt.rna.ftz.tf32.f32 %r1, %f1                   | modifier .ftz is not supported here
            cvta.global.u64 %rd1, tile                      | no register or variable named tile in .global
            mov.u32 %r1, nothing                            | no register named nothing
            mov.b64 %rd1, {%r1, %r2, %r3}                   | .b64 has no 3 parts
            ld.global.v2.u32 {%r1, %r2, %r3}, [%rd1]        | a vector of 2 is needed, got one of 3
            clusterlaunchcontrol.try_cancel.async.b128 [%r1], [%r2] | an address outside of .shared::cta is not supported
            wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%rd1] | wmma.load.m16n16k16.f16: A takes 8 registers, got 1
            wmma.load.a.sync.aligned.row.m16n16k8.f16 {%r1}, [%rd1] | wmma.load: no such fragment, got A of m16n16k8.f16
            wmma.load.d.sync.aligned.row.m16n16k16.f32 {%f1}, [%rd1] | wmma.load: loads A, B or C, D is stored, got D
            mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%r1}, {%r1}, {%r1}, {%r1} | needs the type B, one of .bf16 .e4m3 .e5m2 .f16 .f32 .f64 .s32 .s8 .tf32 .u8; got .s4 .s4
            mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1}, %r1, 0 | modifier .sp is not supported here
            mma.sync.aligned.m8n8k4.col.col.f64.f64.f64.f64 {%d1}, {%d1}, {%d1}, {%d1} | mma: this shape takes A by rows
            tensormap.replace.tile.rank.shared::cta.b1024.b64 [tile], 1 | needs .b32
            tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [tile], 5, 1 | the dimension must be in 0..4, got 5
            tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [tile], %r1 | tensormap.replace.swizzle_mode: the value must be a constant
            tensormap.replace.im2col.rank.shared::cta.b1024.b32 [tile], 1 | needs .tile
            fence.proxy.tensormap::generic.acquire.gpu [%rd1], 64 | the bytes must be in 128..128, got 64
            fence.acquire.sync_restrict::shared::cta.cluster | needs .sync_restrict::shared::cluster
            createpolicy.fractional.L2::evict_last.L2::evict_normal.b64 %rd1 | createpolicy: the second priority must be
            createpolicy.cvt.b64 %rd1, %rd2                 | needs .L2
            discard.shared.L2 [tile], 128                   | discard: the address must be generic or global, got SHARED
            red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.f32 [%r1], %f1, [%r2] | red.async.add: type not allowed, got .f32
            red.global.cas.b32 [%rd1], %r1, %r2             | red: operation must not be cas or exch, got CAS
            red.global.add.u32 [%rd1], %r1, %r2             | expected ';', got ','
            red.global.exch.b128 [%rd1], %rd1               | red: operation must not be cas or exch, got EXCH
            atom.global.add.b128 %rd1, [%rd1], %rd1         | atom.add: type not allowed, got .b128
            atom.global.cas.L2::cache_hint.b32 %r1, [%rd1], %r1, %r1, %rd2 | atom: a policy goes with atomics other than cas
            cvt.pack.sat.u8.s32 %r1, %r1, %r1               | cvt.pack.u8: a third operand goes with types below 16 bits
            add.rn.f32x2 %rd1, %rd1, %r1                    | %r1 has type .b32, the instruction takes .b64
            div.rn.f32x2 %rd1, %rd1, %rd1                   | div: type not allowed, got .f32x2
            ld.shared.v8.b32 {%r1, %r1, %r1, %r1, %r1, %r1, %r1, %r1}, [tile] | ld: at most 16 bytes in one access
            ld.global.v8.b16 {%h1, %h1, %h1, %h1, %h1, %h1, %h1, %h1}, [%rd1] | ld: at most 16 bytes in one access
            mbarrier.init.global.b64 [%rd1], 1              | the barrier must be in .shared::cta
            mbarrier.init.shared.b64 [data], 1              | no register or variable named data in .shared::cta
            cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%rd1+128, {%r1}] | cp.async.bulk.prefetch.tensor: the address of a tensor map must be a register alone
            pmevent 16                                      | the event must be in 0..15, got 16
            multimem.red.relaxed.sys.global.add.f32 [%rd1], %f1 | the instruction is not supported
            tcgen05.commit.mbarrier::arrive::one.shared::cluster.b64 [%rd1] | needs the group, one of .cta_group::1 .cta_group::2
            call.uni (%r1), foo, (%r2)                      | %r1 is no variable declared by .param
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
