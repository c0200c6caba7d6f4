package dev.tilewright.emulator.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxText;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.ptx.type.Element;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** mma.sync of every shape: fragments by the formulas of PTX 9.7.14.5.6 to 9.7.14.5.10. */
class MmaTest {
    private static final int M = 16;
    private static final int N = 8;

    /** Lane, register and index in the register of an element. */
    private record FragmentIndex(int lane, int register, int index) {
        int at(int registers, Element type) {
            return lane * registers * 4 + register * 4 + index * type.bits() / 8;
        }
    }

    private static FragmentIndex ofA(Element type, int row, int k) {
        int perWord = 32 / type.bits();
        int column = k % (4 * perWord);
        return new FragmentIndex(row % 8 * 4 + column / perWord, row / 8 + 2 * (k / (4 * perWord)), column % perWord);
    }

    private static FragmentIndex ofB(Element type, int k, int column) {
        int perWord = 32 / type.bits();
        int row = k % (4 * perWord);
        return new FragmentIndex(column * 4 + row / perWord, k / (4 * perWord), row % perWord);
    }

    private static FragmentIndex ofC(Element type, int row, int column) {
        int perWord = 32 / type.bits();
        int element = row / 8 * 2 + column % 2;
        return new FragmentIndex(row % 8 * 4 + column / 2, element / perWord, element % perWord);
    }

    private static ByteBuffer words(int registers) {
        return ByteBuffer.allocate(32 * registers * 4).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static String list(String name, int count) {
        return IntStream.range(0, count).mapToObj(i -> name + i).collect(Collectors.joining(", ", "{", "}"));
    }

    private static String moves(String operation, String type, String name, int count, String pointer) {
        return IntStream.range(0, count)
                .mapToObj(i -> operation.equals("ld")
                        ? "ld.global.%s %s%d, [%s+%d];".formatted(type, name, i, pointer, 4 * i)
                        : "st.global.%s [%s+%d], %s%d;".formatted(type, pointer, 4 * i, name, i))
                .collect(Collectors.joining("\n"));
    }

    private static String firstWrong(
            Element typeA, Element typeB, Element sum, int k, boolean saturate, int offset, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[][] a = Elements.random(random, typeA, M, k);
        int[][] b = Elements.random(random, typeB, k, N);
        int registersA = M * k * typeA.bits() / 1024;
        int registersB = N * k * typeB.bits() / 1024;
        int registersC = M * N * sum.bits() / 1024;
        ByteBuffer fragmentA = words(registersA);
        ByteBuffer fragmentB = words(registersB);
        ByteBuffer fragmentC = words(registersC);
        int[][] c = new int[M][N];
        for (int row = 0; row < M; row++) {
            for (int i = 0; i < k; i++) {
                Elements.put(fragmentA, ofA(typeA, row, i).at(registersA, typeA), typeA, a[row][i]);
            }
            for (int column = 0; column < N; column++) {
                c[row][column] = offset + random.nextInt(-50, 50);
                Elements.put(fragmentC, ofC(sum, row, column).at(registersC, sum), sum, c[row][column]);
            }
        }
        for (int i = 0; i < k; i++) {
            for (int column = 0; column < N; column++) {
                Elements.put(fragmentB, ofB(typeB, i, column).at(registersB, typeB), typeB, b[i][column]);
            }
        }
        String type = sum == Element.F32 ? "f32" : "b32";
        String body = """
                .reg .b32 t, a<4>, b<2>;
                .reg .%s c<4>, d<4>;
                .reg .b64 pa, pb, pc, pd;
                mov.u32 t, %%tid.x;
                ld.param.u64 pa, [p0];
                ld.param.u64 pb, [p1];
                ld.param.u64 pc, [p2];
                ld.param.u64 pd, [p3];
                mad.wide.u32 pa, t, %d, pa;
                mad.wide.u32 pb, t, %d, pb;
                mad.wide.u32 pc, t, %d, pc;
                mad.wide.u32 pd, t, %d, pd;
                %s
                %s
                %s
                mma.sync.aligned.m16n8k%d.row.col%s.%s.%s.%s.%s %s, %s, %s, %s;
                %s
                """.formatted(
                        type,
                        registersA * 4,
                        registersB * 4,
                        registersC * 4,
                        registersC * 4,
                        moves("ld", "b32", "a", registersA, "pa"),
                        moves("ld", "b32", "b", registersB, "pb"),
                        moves("ld", type, "c", registersC, "pc"),
                        k,
                        saturate ? ".satfinite" : "",
                        sum.ptx(),
                        typeA.ptx(),
                        typeB.ptx(),
                        sum.ptx(),
                        list("d", registersC),
                        list("a", registersA),
                        list("b", registersB),
                        list("c", registersC),
                        moves("st", type, "d", registersC, "pd"));
        ByteBuffer d = ByteBuffer.wrap(PtxText.of(
                                body,
                                32,
                                Buffer.of("a", fragmentA.array()),
                                Buffer.of("b", fragmentB.array()),
                                Buffer.of("c", fragmentC.array()),
                                Buffer.of("d", new byte[32 * registersC * 4]))
                        .completed(seed)
                        .buffer("d"))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int row = 0; row < M; row++) {
            for (int column = 0; column < N; column++) {
                long expected = c[row][column];
                for (int i = 0; i < k; i++) {
                    expected += (long) a[row][i] * b[i][column];
                }
                if (sum == Element.S32) {
                    expected = saturate ? Math.clamp(expected, Integer.MIN_VALUE, Integer.MAX_VALUE) : (int) expected;
                }
                double got = Elements.get(d, ofC(sum, row, column).at(registersC, sum), sum);
                if (got != expected) {
                    return "(" + row + ", " + column + ") is " + got + ", not " + expected;
                }
            }
        }
        return "";
    }

    @ParameterizedTest
    @CsvSource({
        "F16, F16, F32, 8",
        "F16, F16, F32, 16",
        "F16, F16, F16, 8",
        "F16, F16, F16, 16",
        "BF16, BF16, F32, 8",
        "BF16, BF16, F32, 16",
        "TF32, TF32, F32, 4",
        "TF32, TF32, F32, 8",
        "S8, S8, S32, 16",
        "S8, S8, S32, 32",
        "U8, U8, S32, 32",
        "S8, U8, S32, 32",
        "U8, S8, S32, 16",
        "E4M3, E4M3, F32, 16",
        "E4M3, E4M3, F32, 32",
        "E5M2, E4M3, F32, 32",
        "E4M3, E5M2, F16, 32"
    })
    void everyShape(Element typeA, Element typeB, Element sum, int k) {
        for (int seed = 0; seed < 5; seed++) {
            assertThat(firstWrong(typeA, typeB, sum, k, false, 0, seed)).isEmpty();
        }
    }

    @Test
    void integersSaturateOrWrap() {
        int most = Integer.MAX_VALUE - 50_000;
        assertThat(firstWrong(Element.U8, Element.U8, Element.S32, 32, true, most, 1))
                .isEmpty();
        assertThat(firstWrong(Element.U8, Element.U8, Element.S32, 32, false, most, 1))
                .isEmpty();
    }
}
