package dev.tilewright.emulator.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** GEMMs as people write them, from {@code ordinary_gemms.cu}, on whole numbers of which every sum is exact. */
class OrdinaryGemmTest {
    private static final int SEEDS = 3;

    /** How numbers lie in memory. */
    private enum Type {
        F16(2),
        BF16(2),
        F32(4),
        F64(8),
        S8(1),
        S32(4);

        private final int bytes;

        Type(int bytes) {
            this.bytes = bytes;
        }

        byte[] of(double[] values) {
            ByteBuffer to = ByteBuffer.allocate(values.length * bytes).order(ByteOrder.LITTLE_ENDIAN);
            for (double value : values) {
                switch (this) {
                    case F16 -> to.putShort(Float.floatToFloat16((float) value));
                    case BF16 -> to.putShort((short) (Float.floatToRawIntBits((float) value) >>> 16));
                    case F32 -> to.putFloat((float) value);
                    case F64 -> to.putDouble(value);
                    case S8 -> to.put((byte) value);
                    case S32 -> to.putInt((int) value);
                }
            }
            return to.array();
        }
    }

    /** A by rows, B by rows of N elements, and their product. */
    private record Problem(int m, int n, int k, double[] a, double[] b, double[] product) {
        static Problem of(int m, int n, int k, int low, int high) {
            SplittableRandom random = new SplittableRandom(m * 31L + n);
            double[] a =
                    random.ints((long) m * k, low, high + 1).asDoubleStream().toArray();
            double[] b =
                    random.ints((long) k * n, low, high + 1).asDoubleStream().toArray();
            double[] product = new double[m * n];
            for (int i = 0; i < m * n; i++) {
                for (int at = 0; at < k; at++) {
                    product[i] += a[i / n * k + at] * b[at * n + i % n];
                }
            }
            return new Problem(m, n, k, a, b, product);
        }

        double[] columnsOfB() {
            double[] columns = new double[b.length];
            Arrays.setAll(columns, i -> b[i % k * n + i / k]);
            return columns;
        }

        double[] products(double factor) {
            return Arrays.stream(product).map(x -> factor * x).toArray();
        }
    }

    private static PtxLaunch launch(String entry) {
        return PtxLaunch.of(OrdinaryGemmTest.class, "ordinary_gemms.ptx", entry);
    }

    private static byte[] result(PtxLaunch launch, long seed, String buffer) {
        return launch.run(seed).completed().buffer(buffer);
    }

    /** What the struct of the source holds. */
    private static byte[] extents(Problem problem, float alpha, float beta) {
        return ByteBuffer.allocate(20)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(problem.m())
                .putInt(problem.n())
                .putInt(problem.k())
                .putFloat(alpha)
                .putFloat(beta)
                .array();
    }

    @Test
    void structsConstantsAndCounters() {
        Problem problem = Problem.of(37, 53, 29, -2, 2);
        double[] before = new double[37 * 53];
        Arrays.setAll(before, i -> i % 7);
        double[] after = problem.products(2);
        Arrays.setAll(after, i -> after[i] + before[i]);
        for (int seed = 0; seed < SEEDS; seed++) {
            PtxLaunch.Memory memory = launch("naive")
                    .grid(4, 3, 1)
                    .block(16, 16, 1)
                    .buffer("A", Type.F32.of(problem.a()))
                    .buffer("B", Type.F32.of(problem.b()))
                    .buffer("D", Type.F32.of(before))
                    .struct(extents(problem, 0.5f, 2))
                    .variable("scales", Type.F32.of(new double[] {4, 0.5}))
                    .run(seed);
            assertThat(memory.completed().buffer("D")).isEqualTo(Type.F32.of(after));
            assertThat(memory.words("tilesDone")).containsExactly(12);
        }
    }

    @ParameterizedTest
    @CsvSource({"halves, F16, 100, 136, 72", "brains, BF16, 64, 40, 264"})
    void doubleBufferedCopies(String entry, Type type, int m, int n, int k) {
        Problem problem = Problem.of(m, n, k, -2, 2);
        for (int seed = 0; seed < SEEDS; seed++) {
            PtxLaunch launch = launch(entry)
                    .grid(Math.ceilDiv(n, 64), Math.ceilDiv(m, 64), 1)
                    .block(128, 1, 1)
                    .dynamicShared(4 * 64 * 40 * 2)
                    .buffer("A", type.of(problem.a()))
                    .buffer("B", type.of(problem.columnsOfB()))
                    .buffer("D", new byte[m * n * 2])
                    .word(m)
                    .word(n)
                    .word(k);
            assertThat(result(launch, seed, "D")).isEqualTo(rounded(problem.product()));
        }
    }

    /** To bf16, ties to even. */
    private static byte[] rounded(double[] values) {
        double[] rounded = Arrays.stream(values)
                .map(x -> {
                    int bits = Float.floatToRawIntBits((float) x);
                    return Float.intBitsToFloat(bits + 0x7FFF + (bits >>> 16 & 1) & 0xFFFF0000);
                })
                .toArray();
        return Type.BF16.of(rounded);
    }

    /** One warp a tile; B by columns or by rows; wmma's kernels give twice the product. */
    @ParameterizedTest
    @CsvSource({
        "tf32s, F32, F32, true, 16, 8, 24, 1",
        "bytes, S8, S32, true, 8, 8, 48, 1",
        "doubles, F64, F64, true, 8, 8, 20, 1",
        "wmmaHalf, F16, F32, true, 16, 16, 48, 2",
        "wmmaHalves, F16, F16, false, 32, 8, 48, 2",
        "wmmaBrain, BF16, F32, false, 8, 32, 48, 2",
        "wmmaTf32, F32, F32, true, 16, 16, 24, 2",
        "wmmaByte, S8, S32, false, 16, 16, 48, 2",
        "wmmaDouble, F64, F64, true, 8, 8, 20, 2"
    })
    void matrixInstructions(
            String entry, Type type, Type result, boolean columns, int tileM, int tileN, int k, int factor) {
        Problem problem = Problem.of(3 * tileM, 5 * tileN, k, type == Type.S8 ? -128 : -2, type == Type.S8 ? 127 : 2);
        for (int seed = 0; seed < SEEDS; seed++) {
            PtxLaunch launch = launch(entry)
                    .grid(5, 3, 1)
                    .buffer("A", type.of(problem.a()))
                    .buffer("B", type.of(columns ? problem.columnsOfB() : problem.b()))
                    .buffer("D", new byte[problem.product().length * result.bytes])
                    .word(problem.n())
                    .word(k);
            assertThat(result(launch, seed, "D")).isEqualTo(result.of(problem.products(factor)));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2})
    void sharesThatTheLastOneConverts(long seed) {
        Problem problem = Problem.of(37, 53, 100, -2, 2);
        PtxLaunch launch = launch("splitK")
                .grid(4, 3, 3)
                .block(16, 16, 1)
                .buffer("A", Type.F32.of(problem.a()))
                .buffer("B", Type.F32.of(problem.b()))
                .buffer("partial", new byte[37 * 53 * 4])
                .buffer("D", new byte[37 * 53 * 2])
                .buffer("arrived", new byte[12 * 4])
                .struct(extents(problem, 1, 0));
        assertThat(result(launch, seed, "D")).isEqualTo(Type.BF16.of(problem.product()));
    }

    @Test
    void arraysOfPointers() {
        Problem first = Problem.of(37, 53, 29, -2, 2);
        Problem second = Problem.of(37, 53, 29, -3, 3);
        PtxLaunch launch = launch("pointers").grid(4, 3, 2).block(16, 16, 1);
        for (String name : List.of("A", "B", "D")) {
            launch.buffer(pointers(name, name + "0", name + "1"));
        }
        launch.word(37)
                .word(53)
                .word(29)
                .variable("A0", Type.F32.of(first.a()))
                .variable("A1", Type.F32.of(second.a()))
                .variable("B0", Type.F32.of(first.b()))
                .variable("B1", Type.F32.of(second.b()))
                .variable("D0", new byte[37 * 53 * 4])
                .variable("D1", new byte[37 * 53 * 4]);
        assertThat(result(launch, 1, "D0")).isEqualTo(Type.F32.of(first.product()));
        assertThat(result(launch, 1, "D1")).isEqualTo(Type.F32.of(second.product()));
    }

    private static Buffer pointers(String name, String... to) {
        Argument.Patch[] patches = new Argument.Patch[to.length];
        Arrays.setAll(patches, i -> new Argument.Patch(8 * i, new Argument.Pointer(to[i], 0)));
        return new Buffer(name, new byte[8 * to.length], 64, true, List.of(patches));
    }

    @Test
    void transposition() {
        short[] matrix = new short[64];
        short[] transposed = new short[64];
        for (int i = 0; i < 64; i++) {
            matrix[i] = (short) (1000 + i);
            transposed[i % 8 * 8 + i / 8] = matrix[i];
        }
        PtxLaunch launch = launch("transposed").shorts("A", matrix).shorts("D", new short[64]);
        assertThat(launch.run(1).shorts("D")).isEqualTo(transposed);
    }
}
