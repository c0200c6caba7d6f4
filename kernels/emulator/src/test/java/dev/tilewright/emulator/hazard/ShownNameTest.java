package dev.tilewright.emulator.hazard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShownNameTest {
    /** Names that nvcc made. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        gemm | gemm
        _Z5plainiPf | plain
        _Z4stati | stat
        _Z3lamIZ4mainEUliE_EvT_ | lam<...>
        _ZN7cutlass13device_kernelINS_4gemm6KernelILi128ELNS1_4ModeE1EJifPKcPFviEA7_lEEEEEvNT_6ParamsE | cutlass::device_kernel<...>
        _ZN7cutlass5withfIXadL_Z1fiEEiEEvT0_ | cutlass::withf<...>
        _ZN33_GLOBAL__N__fc931584_4_a_cu__Z1fi5anon2EPKf | (anonymous)::anon2
        _ZN33_GLOBAL__N__fc931584_4_a_cu__Z1fi4anonIiEEvT_ | (anonymous)::anon<...>
        _ZN1a1bIiE1cILb1EEEvv | a::b<...>::c<...>
        _ZNKSt3foo3barEv | std::foo::bar
        _ZZ16matmul_v1_kernelILi256ELb1EEv14CUtensorMap_stS0_P13__nv_bfloat16iiiE5mbars | matmul_v1_kernel<...>::mbars
        _ZZN1a1bEPKfE1s_0 | a::b::s
        """)
    void thePathIsKept(String name, String shown) {
        assertThat(ShownName.of(name)).isEqualTo(shown);
    }

    @Test
    void aLongInstructionLosesItsMiddle() {
        String text =
                "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {" + "%r1, ".repeat(128) + "%r1}, %rd7, p;";
        assertThat(ShownName.ofInstruction(text))
                .hasSizeLessThanOrEqualTo(160)
                .startsWith("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {")
                .contains("...")
                .endsWith("%r1}, %rd7, p;");
        assertThat(ShownName.ofInstruction("bar.sync 0;")).isEqualTo("bar.sync 0;");
    }

    @Test
    void whatCannotBeReadLosesItsMiddle() {
        for (String begin : new String[] {"plain_c_name_", "_ZN", "_Z9999", "_ZN7cutlassI", "_ZNS_IE", "_ZN1aILi"}) {
            String name = begin + "x".repeat(2000);
            assertThat(ShownName.of(name))
                    .hasSizeLessThanOrEqualTo(80)
                    .startsWith(begin)
                    .contains("...");
        }
        assertThat(ShownName.of("_Z")).isEqualTo("_Z");
        assertThat(ShownName.of("_ZN3fooE")).isEqualTo("foo");
    }
}
