package dev.tilewright.emulator.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxText;
import dev.tilewright.emulator.run.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ldmatrix and stmatrix: rows that are not in order, each element where PTX 9.7.14.5.15 puts it. */
class MatrixMoveTest {
    /** Row r of matrix i lies 16 * (8i + (5r + 3) % 8) bytes into shared memory. */
    private static int offset(int matrix, int row) {
        return 16 * (8 * matrix + (5 * row + 3) % 8);
    }

    private static String registers(int count) {
        return IntStream.range(0, count).mapToObj(i -> "r" + i).collect(Collectors.joining(", ", "{", "}"));
    }

    private static ByteBuffer run(String body, byte[] in, int bytes) {
        return ByteBuffer.wrap(PtxText.of(body, 32, Buffer.of("in", in), Buffer.of("out", new byte[bytes]))
                        .clean("out"))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    private static final String HEAD = """
            .reg .b32 t, base, at, row, i, r<4>;
            .reg .b64 in, out;
            mov.u32 t, %tid.x;
            mov.u32 base, smem;
            ld.param.u64 in, [p0];
            ld.param.u64 out, [p1];
            and.b32 row, t, 7;
            mul.lo.u32 row, row, 5;
            add.u32 row, row, 3;
            and.b32 row, row, 7;
            and.b32 i, t, 24;
            add.u32 row, row, i;
            shl.b32 row, row, 4;
            add.u32 at, base, row;
            """;

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "4, false", "1, true", "2, true", "4, true"})
    void loads(int count, boolean transposed) {
        ByteBuffer in = ByteBuffer.allocate(512).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 256; i++) {
            in.putShort(2 * i, (short) (i * 251));
        }
        StringBuilder body = new StringBuilder(HEAD);
        body.append("""
                mad.wide.u32 in, t, 16, in;
                mad.wide.u32 out, t, %d, out;
                ld.global.v4.b32 {r0, r1, r2, r3}, [in];
                mad.lo.u32 i, t, 16, base;
                st.shared.v4.b32 [i], {r0, r1, r2, r3};
                bar.warp.sync 0xffffffff;
                ldmatrix.sync.aligned.m8n8.x%d%s.shared.b16 %s, [at];
                """.formatted(4 * count, count, transposed ? ".trans" : "", registers(count)));
        for (int i = 0; i < count; i++) {
            body.append("st.global.b32 [out+%d], r%d;%n".formatted(4 * i, i));
        }
        ByteBuffer out = run(body.toString(), in.array(), 32 * 4 * count);
        for (int lane = 0; lane < 32; lane++) {
            for (int matrix = 0; matrix < count; matrix++) {
                for (int half = 0; half < 2; half++) {
                    int row = transposed ? 2 * (lane % 4) + half : lane / 4;
                    int column = transposed ? lane / 4 : 2 * (lane % 4) + half;
                    assertThat(out.getShort(4 * (lane * count + matrix) + 2 * half))
                            .isEqualTo(in.getShort(offset(matrix, row) + 2 * column));
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "4, false", "1, true", "2, true", "4, true"})
    void stores(int count, boolean transposed) {
        ByteBuffer in = ByteBuffer.allocate(512).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 256; i++) {
            in.putShort(2 * i, (short) (i * 253));
        }
        String body = HEAD + """
                mad.wide.u32 in, t, 16, in;
                mad.wide.u32 out, t, %d, out;
                ld.global.v4.b32 {r0, r1, r2, r3}, [in];
                stmatrix.sync.aligned.m8n8.x%d%s.shared.b16 [at], %s;
                bar.warp.sync 0xffffffff;
                mad.lo.u32 i, t, %d, base;
                """.formatted(4 * count, count, transposed ? ".trans" : "", registers(count), 4 * count);
        for (int i = 0; i < count; i++) {
            body += "ld.shared.b32 r%d, [i+%d];%nst.global.b32 [out+%d], r%d;%n".formatted(i, 4 * i, 4 * i, i);
        }
        ByteBuffer out = run(body, in.array(), 32 * 4 * count);
        for (int lane = 0; lane < 32; lane++) {
            for (int matrix = 0; matrix < count; matrix++) {
                for (int half = 0; half < 2; half++) {
                    int row = transposed ? 2 * (lane % 4) + half : lane / 4;
                    int column = transposed ? lane / 4 : 2 * (lane % 4) + half;
                    assertThat(out.getShort(offset(matrix, row) + 2 * column))
                            .isEqualTo(in.getShort(16 * lane + 4 * matrix + 2 * half));
                }
            }
        }
    }
}
