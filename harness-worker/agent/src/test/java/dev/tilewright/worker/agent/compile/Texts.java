package dev.tilewright.worker.agent.compile;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Small PTX texts. */
final class Texts {

    static final String VALID = """
            .version 8.0
            .target sm_90a
            .address_size 64
            .visible .entry gemm(.param .u64 p)
            {
              .reg .u32 %r<4>;
              .reg .u64 %rd<4>;
              .shared .align 4 .b8 buffer[64];
              ld.param.u64 %rd1, [p];
              mov.u32 %r1, buffer;
              st.shared.u32 [%r1], %r1;
              bar.sync 0;
              ld.shared.u32 %r2, [%r1+4];
              st.global.u32 [%rd1], %r2;
              ret;
            }
            """;

    static final String WRONG_IN_LINE_7 = """
            .version 8.0
            .target sm_90a
            .address_size 64
            .visible .entry gemm(.param .u64 p)
            {
              .reg .u32 %r<4>;
              mov.u32 %r1, %nope;
              ret;
            }
            """;

    /** Keeps 64 loaded values alive over a barrier with 24 registers. */
    static final String SPILLING = """
            .version 8.0
            .target sm_90a
            .address_size 64
            .visible .entry gemm(.param .u64 p) .maxntid 1024, 1, 1 .maxnreg 24
            {
              .reg .f32 %f<66>;
              .reg .u64 %rd<4>;
              ld.param.u64 %rd1, [p];
            LOADS
              bar.sync 0;
            STORES
              ret;
            }
            """.replace("LOADS", lines("  ld.volatile.global.f32 %%f%1$d, [%%rd1+%2$d];"))
            .replace("STORES", lines("  st.volatile.global.f32 [%%rd1+%2$d], %%f%1$d;"));

    private Texts() {}

    private static String lines(String form) {
        return IntStream.range(0, 64).mapToObj(i -> form.formatted(i, 4 * i)).collect(Collectors.joining("\n"));
    }

    /** A valid text unlike all others with another number. */
    static String valid(int number) {
        return VALID.replace("mov.u32 %r1, buffer;", "mov.u32 %r1, buffer; // " + number);
    }
}
