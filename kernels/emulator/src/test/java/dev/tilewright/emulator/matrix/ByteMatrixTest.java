package dev.tilewright.emulator.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxText;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Buffer;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * ldmatrix and stmatrix of 8-bit elements: row i lies where lane i says, its elements where PTX 9.7.14.5.15 puts them.
 */
class ByteMatrixTest {
    private static final String HEAD = """
            .reg .b32 t, base, at, i, r<4>;
            .reg .b64 in, out;
            mov.u32 t, %tid.x;
            mov.u32 base, smem;
            ld.param.u64 in, [p0];
            ld.param.u64 out, [p1];
            mul.lo.u32 at, t, 5;
            add.u32 at, at, 3;
            and.b32 at, at, 31;
            shl.b32 at, at, 4;
            add.u32 at, at, base;
            mad.wide.u32 in, t, 16, in;
            ld.global.v4.b32 {r0, r1, r2, r3}, [in];
            """;

    /** Where the row of a lane lies. */
    private static int offset(int lane) {
        return 16 * ((5 * lane + 3) % 32);
    }

    private static byte[] noise() {
        byte[] noise = new byte[512];
        new SplittableRandom(7).nextBytes(noise);
        return noise;
    }

    private static String registers(int count) {
        return IntStream.range(0, count).mapToObj(i -> "r" + i).collect(Collectors.joining(", ", "{", "}"));
    }

    private static byte[] run(String body, byte[] in, int bytes) {
        return PtxText.of(body, 32, Buffer.of("in", in), Buffer.of("out", new byte[bytes]))
                .clean("out");
    }

    /** An element of a row, by its bits one by one. */
    private static int element(byte[] in, int row, int index, int bits) {
        int value = 0;
        for (int i = 0; i < bits; i++) {
            int bit = index * bits + i;
            value |= (in[row + bit / 8] >> bit % 8 & 1) << i;
        }
        return value;
    }

    private static byte[] loaded(String form, int registers, byte[] in) {
        StringBuilder body = new StringBuilder(HEAD + """
                mad.lo.u32 i, t, 16, base;
                st.shared.v4.b32 [i], {r0, r1, r2, r3};
                bar.warp.sync 0xffffffff;
                ldmatrix.sync.aligned.%s %s, [at];
                mad.wide.u32 out, t, %d, out;
                """.formatted(form, registers(registers), 4 * registers));
        for (int i = 0; i < registers; i++) {
            body.append("st.global.b32 [out+%d], r%d;%n".formatted(4 * i, i));
        }
        return run(body.toString(), in, 128 * registers);
    }

    /** A register has two columns of two rows, eight apart; the next register the next two columns. */
    @ParameterizedTest
    @CsvSource({
        "1, b8, 8",
        "2, b8, 8",
        "1, b8x16.b6x16_p32, 6",
        "2, b8x16.b6x16_p32, 6",
        "1, b8x16.b4x16_p64, 4",
        "2, b8x16.b4x16_p64, 4"
    })
    void loadsSquares(int count, String format, int bits) {
        byte[] in = noise();
        byte[] out = loaded("m16n16.x" + count + ".trans.shared." + format, 2 * count, in);
        for (int matrix = 0; matrix < count; matrix++) {
            for (int row = 0; row < 16; row++) {
                for (int column = 0; column < 16; column++) {
                    int lane = 4 * (row % 8) + column / 4;
                    int register = 2 * matrix + column % 4 / 2;
                    int index = column % 2 + 2 * (row / 8);
                    assertThat(out[4 * (2 * count * lane + register) + index])
                            .as("row %d, column %d of matrix %d", row, column, matrix)
                            .isEqualTo((byte) element(in, offset(16 * matrix + column), row, bits));
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, b6x16_p32, 6",
        "2, b6x16_p32, 6",
        "4, b6x16_p32, 6",
        "1, b4x16_p64, 4",
        "2, b4x16_p64, 4",
        "4, b4x16_p64, 4"
    })
    void loadsRowsOfPackedElements(int count, String format, int bits) {
        byte[] in = noise();
        byte[] out = loaded("m8n16.x" + count + ".shared.b8x16." + format, count, in);
        for (int matrix = 0; matrix < count; matrix++) {
            for (int row = 0; row < 8; row++) {
                for (int column = 0; column < 16; column++) {
                    int lane = 4 * row + column / 4;
                    assertThat(out[4 * (count * lane + matrix) + column % 4])
                            .as("row %d, column %d of matrix %d", row, column, matrix)
                            .isEqualTo((byte) element(in, offset(8 * matrix + row), column, bits));
                }
            }
        }
    }

    /** Nobody wrote the second of two matrices. */
    @ParameterizedTest
    @CsvSource({"m16n16.x2.trans.shared.b8, 16, r1, r2", "m8n16.x2.shared.b8x16.b6x16_p32, 8, r0, r1"})
    void aMatrixThatNobodyWroteMayBeLoadedButNotStored(String form, int written, String first, String second) {
        String body = """
                .reg .b32 t, i, r<4>;
                .reg .b64 out;
                .reg .pred own;
                mov.u32 t, %%tid.x;
                ld.param.u64 out, [p0];
                mov.u32 i, smem;
                mad.lo.u32 i, t, 16, i;
                setp.lt.u32 own, t, %d;
                @own st.shared.v4.b32 [i], {t, t, t, t};
                bar.warp.sync 0xffffffff;
                ldmatrix.sync.aligned.%s %s, [i];
                mad.wide.u32 out, t, 4, out;
                """.formatted(written, form, registers(form.startsWith("m16") ? 4 : 2));
        PtxText.of(body + "st.global.b32 [out], " + first + ";\n", 32, Buffer.of("out", new byte[128]))
                .clean("out");
        assertThat(PtxText.of(body + "st.global.b32 [out], " + second + ";\n", 32, Buffer.of("out", new byte[128]))
                        .finding()
                        .hazard())
                .isInstanceOfSatisfying(
                        Hazard.UninitialisedRead.class,
                        read -> assertThat(read.message()).contains("register " + second, "the load of"));
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "4"})
    void stores(int count) {
        byte[] in = noise();
        String body = HEAD + """
                stmatrix.sync.aligned.m16n8.x%d.trans.shared.b8 [at], %s;
                bar.warp.sync 0xffffffff;
                """.formatted(count, registers(count));
        body += """
                .reg .pred more;
                setp.ge.u32 more, t, %d;
                @more bra END;
                ld.shared.v4.b32 {r0, r1, r2, r3}, [at];
                mad.wide.u32 out, t, 16, out;
                st.global.v4.b32 [out], {r0, r1, r2, r3};
                END:
                """.formatted(8 * count);
        byte[] out = run(body, in, 128 * count);
        for (int matrix = 0; matrix < count; matrix++) {
            for (int column = 0; column < 8; column++) {
                for (int row = 0; row < 16; row++) {
                    int lane = 4 * (row % 8) + column / 2;
                    assertThat(out[16 * (8 * matrix + column) + row])
                            .as("row %d, column %d of matrix %d", row, column, matrix)
                            .isEqualTo(in[16 * lane + 4 * matrix + column % 2 + 2 * (row / 8)]);
                }
            }
        }
    }
}
