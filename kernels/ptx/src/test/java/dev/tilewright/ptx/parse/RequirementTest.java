package dev.tilewright.ptx.parse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.type.IsaVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A form with modifiers needs the PTX ISA and the target that its plain form needs. */
class RequirementTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ld.global.L2::128B.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%rd1]             | 100 | 8.8
            st.global.L2::cache_hint.v4.b64 [%rd1], {%rd1, %rd2, %rd3, %rd4}, %rd5 | 100 | 8.8
            ld.shared::cluster.L1::evict_last.b32 %r1, [%r2]                       | 90  | 8.0
            cvt.rn.relu.bf16.f32 %h1, %f1                                          | 90  | 7.8
            cvt.rn.relu.f16x2.f32 %r1, %f1, %f2                                    | 80  | 7.8
            atom.global.exch.L2::cache_hint.b128 %q1, [%rd1], %q1, %rd2            | 90  | 8.3
            mbarrier.arrive.relaxed.cta.shared.b64 %rd1, [%r1]                     | 90  | 8.6
            mbarrier.arrive_drop.expect_tx.relaxed.cta.shared.b64 _, [%r1], 4      | 90  | 8.6
            mbarrier.test_wait.relaxed.cta.shared.b64 %p1, [%r1], %rd1             | 90  | 8.6
            fence.acquire.cluster                                                  | 90  | 8.6
            """)
    void isThatOfThePlainForm(String instruction, int capability, String since) {
        PtxModule module = PtxParser.parse("""
                .version 9.0
                .target sm_100a
                .visible .entry k() {
                .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .b128 %q<3>; .reg .pred %p<3>;
                """ + instruction + ";\nret;\n}\n");
        Instruction read = (Instruction) module.entry("k").body().getFirst();
        assertThat(read.requires().capability()).isEqualTo(capability);
        String[] version = since.split("\\.");
        assertThat(read.requires().since())
                .isEqualTo(new IsaVersion(Integer.parseInt(version[0]), Integer.parseInt(version[1])));
    }
}
