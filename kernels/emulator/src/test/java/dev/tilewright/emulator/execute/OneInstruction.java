package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.foreign.PtxLaunch;
import java.util.Arrays;

/**
 * Runs instructions on many operands, through the parser and the whole machine. Operands are 64 bits each and lie in
 * {@code %rd1..3}, their low bits in {@code %r1..3}, {@code %h1..3}, {@code %f1..3}, {@code %d1..3}; whether they are
 * odd in {@code %p1..3}. The result is expected in the register named.
 */
final class OneInstruction {
    private static final int LANES = 256;

    private OneInstruction() {}

    /** The results as zero-extended bits; predicates as 0 or 1. */
    static long[] run(String instructions, String result, long[] a, long[] b, long[] c) {
        String move = switch (result.replaceAll("[0-9]", "")) {
            case "%rd" -> "mov.b64 %rd9, " + result;
            case "%d" -> "mov.b64 %rd9, " + result;
            case "%r" -> "cvt.u64.u32 %rd9, " + result;
            case "%f" -> "mov.b32 %r9, " + result + "; cvt.u64.u32 %rd9, %r9";
            case "%h" -> "cvt.u64.u16 %rd9, " + result;
            case "%p" -> "selp.u64 %rd9, 1, 0, " + result;
            default -> throw new IllegalArgumentException("no register: " + result);
        };
        StringBuilder operands = new StringBuilder();
        for (int i = 1; i <= 3; i++) {
            operands.append("""
                        ld.global.u64 %rd#, [%rd1#];
                        cvt.u32.u64 %r#, %rd#;
                        cvt.u16.u64 %h#, %rd#;
                        mov.b32 %f#, %r#;
                        mov.b64 %d#, %rd#;
                        and.b32 %r9, %r#, 1;
                        setp.ne.u32 %p#, %r9, 0;
                    """.replace("#", Integer.toString(i)));
        }
        String text = """
                .version 8.6
                .target sm_90a
                .address_size 64
                .visible .entry one(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 out, .param .u32 n)
                {
                    .reg .b16 %h<10>; .reg .b32 %r<10>; .reg .b64 %rd<20>; .reg .f32 %f<10>; .reg .f64 %d<10>;
                    .reg .pred %p<10>;
                    ld.param.u64 %rd11, [a]; ld.param.u64 %rd12, [b]; ld.param.u64 %rd13, [c];
                    ld.param.u64 %rd14, [out]; ld.param.u32 %r8, [n];
                    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
                    mad.lo.u32 %r1, %r1, %r2, %r3;
                    setp.ge.u32 %p9, %r1, %r8;
                    @%p9 ret;
                    mul.wide.u32 %rd15, %r1, 8;
                    add.s64 %rd11, %rd11, %rd15; add.s64 %rd12, %rd12, %rd15;
                    add.s64 %rd13, %rd13, %rd15; add.s64 %rd14, %rd14, %rd15;
                """ + operands + instructions + "\n" + move + """
                ;
                    st.global.u64 [%rd14], %rd9;
                    ret;
                }
                """;
        return new PtxLaunch(text, "one")
                .grid(Math.ceilDiv(a.length, LANES), 1, 1)
                .block(LANES, 1, 1)
                .longs("a", a)
                .longs("b", b)
                .longs("c", c)
                .longs("out", new long[a.length])
                .word(a.length)
                .run(1)
                .longs("out");
    }

    static long[] run(String instructions, String result, long[] a) {
        return run(instructions, result, a, new long[a.length], new long[a.length]);
    }

    /** The result for one set of operands. */
    static long of(String instructions, String result, long... operands) {
        long[] all = Arrays.copyOf(operands, 3);
        return run(instructions, result, new long[] {all[0]}, new long[] {all[1]}, new long[] {all[2]})[0];
    }
}
