package dev.tilewright.ptx.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.ptx.Ptxas;
import dev.tilewright.ptx.text.PtxWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every form of an instruction keeps the checks of its plain form: the parser refuses what ptxas refuses. */
class AssemblerRefusesTest {
    private static final String KERNEL = """
            .version 9.0
            .target sm_90a
            .address_size 64
            .visible .entry k(.param .u64 data) {
            .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .pred %p<9>;
            .shared .align 128 .b8 tile[512];
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%rd1], 24, [%r2], %h1 | cp.async.bulk: bytes must be a multiple of 16, got 24
            cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], [%r2], 24, [%r3] | cp.async.bulk: bytes must be a multiple of 16, got 24
            cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%rd1], [%r1], 2097152, %rd2 | cp.async.bulk: bytes must be in 0..1048560, got 2097152
            cp.async.bulk.prefetch.L2.global [%rd1], 24 | cp.async.bulk: bytes must be a multiple of 16, got 24
            cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], 24 | cp.async.bulk: bytes must be a multiple of 16, got 24
            cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r1], [%r2], 24, [%r3] | cp.async.bulk: bytes must be a multiple of 16, got 24
            createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %rd1, 1.5 | createpolicy: fraction must be above 0 and up to 1, got 1.5
            cvt.sat.f32.f64 %f1, %d1                        | cvt.f32.f64: rounding not allowed, got NONE
            cvt.rn.ftz.f64.f32 %d1, %f1                     | cvt.f64.f32: rounding not allowed, got RN
            cvt.rn.ftz.s32.f32 %r1, %f1                     | cvt.s32.f32: rounding not allowed, got RN
            cvt.rn.sat.u8.s32 %r1, %r1                      | cvt.u8.s32: rounding not allowed, got RN
            cvt.rni.sat.f32.s32 %f1, %r1                    | cvt.f32.s32: rounding not allowed, got RNI
            cvt.rn.sat.f16.f16 %h1, %h1                     | cvt.f16.f16: rounding not allowed, got RN
            cvt.relu.f16.f32 %h1, %f1                       | cvt.f16.f32: rounding not allowed, got NONE
            cvt.rm.relu.f16x2.f32 %r1, %f1, %f1             | cvt.f16x2.f32: rounding must be rn or rz, got RM
            add.rni.ftz.f32 %f1, %f1, %f1                   | add.f32: rounding not allowed, got RNI
            add.approx.ftz.f32 %f1, %f1, %f1                | add.f32: rounding not allowed, got APPROX
            add.rz.f16 %h1, %h1, %h1                        | add.f16: rounding not allowed, got RZ
            add.sat.f64 %d1, %d1, %d1                       | add.f64: modifier not allowed, got .sat
            min.NaN.f64 %d1, %d1, %d1                       | min.f64: modifier not allowed, got .NaN
            div.ftz.f32 %f1, %f1, %f1                       | div.f32: rounding not allowed, got NONE
            div.approx.ftz.f64 %d1, %d1, %d1                | div.f64: rounding not allowed, got APPROX
            div.full.f64 %d1, %d1, %d1                      | div.f64: rounding not allowed, got FULL
            div.rn.sat.f32 %f1, %f1, %f1                    | div: saturates nothing, got .sat
            div.rn.f16 %h1, %h1, %h1                        | div: type not allowed, got .f16
            fma.rn.sat.f64 %d1, %d1, %d1, %d1               | fma.f64: modifier not allowed, got .sat
            sin.approx.f64 %d1, %d1                         | sin.approx: type not allowed, got .f64
            sqrt.approx.ftz.f64 %d1, %d1                    | sqrt.approx.ftz: type not allowed, got .f64
            rcp.approx.f64 %d1, %d1                         | rcp.approx: type not allowed, got .f64
            neg.ftz.f64 %d1, %d1                            | neg.ftz: type not allowed, got .f64
            sqrt.rn.f16 %h1, %h1                            | sqrt.rn: type not allowed, got .f16
            sin.approx.f16 %h1, %h1                         | sin.approx: type not allowed, got .f16
            ld.volatile.global.cg.L1::evict_last.u32 %r1, [%rd1] | ld: a cache operator goes with weak accesses alone
            atom.volatile.global.add.noftz.f16 %h1, [%rd1], %h1 | atom: ordering must be relaxed, acquire, release or acq_rel
            atom.volatile.global.cas.b16 %h1, [%rd1], %h1, %h2 | atom: ordering must be relaxed, acquire, release or acq_rel
            red.acquire.gpu.global.add.noftz.f16 [%rd1], %h1 | red: ordering must be relaxed or release, got ACQUIRE
            red.acq_rel.gpu.global.add.v2.f32 [%rd1], {%f1, %f1} | red: ordering must be relaxed or release, got ACQ_REL
            red.global.cas.b16 [%rd1], %h1, %h2             | red: operation must not be cas or exch, got CAS
            atom.global.min.v2.f32 {%f1, %f2}, [%rd1], {%f1, %f2} | atom.min: type not allowed, got .f32
            atom.global.add.noftz.f32 %f1, [%rd1], %f1      | atom: .noftz goes with f16, bf16 and their pairs, got .f32
            atom.global.add.v2.f64 {%d1, %d2}, [%rd1], {%d1, %d2} | atom: a vector is of f32, f16, bf16 or their pairs
            atom.global.cas.L2::cache_hint.b16 %h1, [%rd1], %h1, %h1, %rd2 | atom: a policy goes with atomics other than cas
            mbarrier.arrive.acquire.cta.shared.b64 %rd1, [%r1] | mbarrier.arrive: ordering must be release or relaxed, got ACQUIRE
            mbarrier.arrive_drop.acq_rel.cta.shared.b64 %rd1, [%r1] | mbarrier.arrive: ordering must be release or relaxed
            mbarrier.arrive.expect_tx.acquire.cta.shared.b64 %rd1, [%r1], 4 | mbarrier.arrive.expect_tx: ordering must be
            mbarrier.arrive.shared.b64 %rd1, [%r1], 0       | mbarrier.arrive: count must be in 1..4294967295, got 0
            mbarrier.arrive_drop.shared.b64 _, [%r1], 0     | mbarrier.arrive: count must be in 1..4294967295, got 0
            mbarrier.test_wait.release.cta.shared.b64 %p1, [%r1], %rd1 | mbarrier.test_wait: ordering must be acquire or relaxed
            mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1, %r3 | mbarrier.test_wait: takes no suspend hint
            mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r1,%r2}, {%f1,%f2,%f3,%f4} | mma: shape and types not allowed
            mma.sync.aligned.m16n8k16.row.col.s32.f16.f16.s32 {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4}, {%r1,%r2}, {%r1,%r2,%r3,%r4} | mma: shape and types not allowed
            mma.sync.aligned.m16n8k16.row.col.f32.s8.s8.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2}, {%r1}, {%f1,%f2,%f3,%f4} | mma: shape and types not allowed
            mma.sync.aligned.m16n8k16.row.col.f16.bf16.bf16.f16 {%r1,%r2}, {%r1,%r2,%r3,%r4}, {%r1,%r2}, {%r1,%r2} | mma: shape and types not allowed
            mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r1,%r2}, {%f1,%f2,%f3,%f4} | mma: satfinite goes with integers
            mma.sync.aligned.m16n8k16.col.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r1,%r2}, {%f1,%f2,%f3,%f4} | mma: this shape takes A by rows and B by columns
            """)
    void parserRefusesToo(String instruction, String reason) {
        String text = text(instruction);
        assertThatThrownBy(() -> PtxParser.parse(text)).hasMessageContaining(reason);
        assertThatThrownBy(() -> Ptxas.assemble(text, "sm_90a")).hasMessageContaining("error");
    }

    /** An offset may undo what its register lacks, so that no text is refused for it; a builder is. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1+8], [%rd1], 32, [%r2+4]
            cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%rd1], [%r1+8], 32, %rd2
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 0, [%r2]
            createpolicy.fractional.L2::evict_last.b64 %rd1
            cvt.rni.sat.f32.f32 %f1, %f1
            cvt.sat.u8.s32 %r1, %r1
            cvt.rz.relu.bf16.f32 %h1, %f1
            cvt.rn.f16.bf16 %h1, %h1
            div.full.ftz.f32 %f1, %f1, %f1
            rcp.rn.ftz.f64 %d1, %d1
            rcp.approx.ftz.f64 %d1, %d1
            rsqrt.approx.f64 %d1, %d1
            ex2.approx.ftz.bf16 %h1, %h1
            tanh.approx.f16 %h1, %h1
            atom.release.gpu.global.add.noftz.f16 %h1, [%rd1], %h1
            red.release.gpu.global.add.v2.f32 [%rd1], {%f1, %f1}
            atom.global.cas.b16 %h1, [%rd1], %h1, %h2
            ld.relaxed.gpu.global.L1::evict_last.u32 %r1, [%rd1]
            mbarrier.arrive.shared::cta.b64 %rd1, [%r1+4], 1048576
            mbarrier.arrive_drop.expect_tx.shared::cta.b64 _, [%r1+4], 1048576
            mbarrier.try_wait.shared::cta.b64 %p1, [%r1+4], %rd1, %r3
            mapa.u64 %rd1, %rd2, 77
            """)
    void parserTakesToo(String instruction) throws Exception {
        String written = PtxWriter.write(PtxParser.parse(text(instruction)));
        assertThat(written).contains("    " + instruction + ";\n");
        Ptxas.assemble(written, "sm_90a");
    }

    private static String text(String instruction) {
        return KERNEL + instruction + ";\nret;\n}\n";
    }
}
