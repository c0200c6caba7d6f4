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
        """)
    void thePathIsKept(String name, String shown) {
        assertThat(ShownName.of(name)).isEqualTo(shown);
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
