package dev.tilewright.emulator.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernels of programs.cu, as nvcc compiles them, against Java; {@code nvcc -ptx -arch=sm_90a programs.cu}. */
class ProgramsTest {
    private static PtxLaunch launch(String entry) {
        return PtxLaunch.of(ProgramsTest.class, "/dev/tilewright/emulator/foreign/programs.ptx", entry);
    }

    private static float[] floats(Random random, int n) {
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            // Small integers, so that sums are exact in any order.
            values[i] = random.nextInt(-8, 9);
        }
        return values;
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3})
    void tiledGemm(long seed) {
        int m = 100;
        int n = 70;
        int k = 37;
        Random random = new Random(seed);
        float[] a = floats(random, m * k);
        float[] b = floats(random, n * k);
        float[] d = floats(random, m * n);
        float[] result = launch("tiled")
                .grid(Math.ceilDiv(n, 48), Math.ceilDiv(m, 64), 1)
                .block(16, 16, 1)
                .floats("a", a)
                .floats("b", b)
                .floats("d", d)
                .word(m)
                .word(n)
                .word(k)
                .real(2)
                .real(-1)
                .run(seed)
                .floats("d");
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                float sum = 0;
                for (int s = 0; s < k; s++) {
                    sum += a[i * k + s] * b[j * k + s];
                }
                assertThat(result[i * n + j]).isEqualTo(2 * sum - d[i * n + j]);
            }
        }
    }

    @Test
    void softmaxOfRows() {
        int rows = 7;
        int columns = 45;
        Random random = new Random(5);
        short[] x = new short[rows * columns];
        for (int i = 0; i < x.length; i++) {
            x[i] = (short) (Float.floatToRawIntBits((float) random.nextGaussian() * 3) >>> 16);
        }
        short[] y = launch("softmax")
                .grid(3, 1, 1)
                .block(96, 1, 1)
                .shorts("x", x)
                .shorts("y", new short[x.length])
                .word(rows)
                .word(columns)
                .run(2)
                .shorts("y");
        for (int row = 0; row < rows; row++) {
            double sum = 0;
            for (int i = 0; i < columns; i++) {
                sum += Math.exp(bfloat(x[row * columns + i]));
            }
            for (int i = 0; i < columns; i++) {
                double expected = Math.exp(bfloat(x[row * columns + i])) / sum;
                assertThat((double) bfloat(y[row * columns + i])).isCloseTo(expected, offset(expected * 0.004));
            }
        }
    }

    private static float bfloat(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3})
    void histogramOfBytes(long seed) {
        byte[] data = new byte[3001];
        new Random(seed).nextBytes(data);
        Arrays.fill(data, 0, 700, (byte) 200);
        int[] expected = new int[256];
        for (byte b : data) {
            expected[b & 0xFF]++;
        }
        int[] bins = launch("histogram")
                .grid(3, 1, 1)
                .block(100, 1, 1)
                .buffer("data", data)
                .words("bins", new int[256])
                .word(data.length)
                .run(seed)
                .words("bins");
        assertThat(bins).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3})
    void sumsBeforeEachElement(long seed) {
        int n = 203;
        int[] x = new Random(seed).ints(n, -1000, 1000).toArray();
        int[] expected = new int[n];
        for (int i = 1; i < n; i++) {
            expected[i] = expected[i - 1] + x[i - 1];
        }
        int[] y = launch("scan")
                .block(224, 1, 1)
                .words("x", x)
                .words("y", new int[n])
                .word(n)
                .run(seed)
                .words("y");
        assertThat(y).isEqualTo(expected);
    }

    private static final int LENGTH = 16;
    private static final byte[] PROGRAMS = new byte[4 * LENGTH];

    static {
        byte[][] four = {
            {1, 6, 4, 10, 3, 100, 7, 5, 0},
            {1, 11, 3, 50, 60, 70, 80, 2, 8, 0},
            {1, 9, 1, 8, 2, 1, 1, 3, 5, 0},
            {20, 30, 7, 3, 1, 2, 6, 11, 1, 8, 8, 0},
        };
        for (int i = 0; i < 4; i++) {
            System.arraycopy(four[i], 0, PROGRAMS, i * LENGTH, four[i].length);
        }
    }

    private static int calculated(int t, int input) {
        int[] stack = new int[16];
        int top = 0;
        int first = t % 4 * LENGTH;
        for (int at = 0; at < LENGTH; at++) {
            int code = PROGRAMS[first + at];
            switch (code) {
                case 0 -> at = LENGTH;
                case 1 -> stack[top++] = input;
                case 2 -> stack[top - 2] += stack[--top];
                case 3 -> stack[top - 2] -= stack[--top];
                case 4 -> stack[top - 2] *= stack[--top];
                case 5 -> {
                    int divisor = stack[--top];
                    stack[top - 1] = divisor == 0 ? -1 : stack[top - 1] / divisor;
                }
                case 6 -> {
                    stack[top] = stack[top - 1];
                    top++;
                }
                case 7 -> {
                    int s = stack[top - 1];
                    stack[top - 1] = stack[top - 2];
                    stack[top - 2] = s;
                }
                case 8 -> stack[top - 1] = -stack[top - 1];
                case 9 -> stack[top - 1] = Integer.bitCount(stack[top - 1]);
                case 10 -> stack[top++] = at;
                case 11 -> at += stack[top - 1] > 0 ? PROGRAMS[first + at + 1] : 1;
                default -> stack[top++] = code;
            }
        }
        return top > 0 ? stack[top - 1] : 0;
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5})
    void stacksInLocalMemory(long seed) {
        int[] inputs = new Random(seed).ints(96, -50, 50).toArray();
        inputs[8] = 3;
        int[] results = launch("calculate")
                .grid(3, 1, 1)
                .buffer("programs", PROGRAMS)
                .word(LENGTH)
                .words("inputs", inputs)
                .words("results", new int[96])
                .run(seed)
                .words("results");
        assertThat(results)
                .isEqualTo(IntStream.range(0, 96)
                        .map(t -> calculated(t, inputs[t]))
                        .toArray());
    }

    private static PtxLaunch within(float... x) {
        return launch("within").grid(2, 1, 1).block(64, 1, 1).floats("x", x).word(x.length);
    }

    @Test
    void assertionsThatHold() {
        float[] x = new float[100];
        x[7] = 1;
        assertThat(within(x).run(0).longs("checked")).containsExactly(100);
    }

    @Test
    void aFailedAssertionSaysItsText() {
        float[] x = new float[100];
        x[70] = 1.5f;
        Finding finding = within(x).finding(3);
        assertThat(finding.hazard()).isInstanceOf(Hazard.Trapped.class);
        assertThat(finding.message())
                .contains(
                        "assertion 'x[i] >= limits[0] && x[i] <= limits[1]' failed in void within(const float *, int)")
                .contains("programs.cu line ")
                .contains("CTA 1 rank 0, warp 0, lane 6");
        byte[] wider = ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putFloat(-2)
                .putFloat(2)
                .array();
        assertThat(within(x).variable("limits", wider).run(3).longs("checked")).containsExactly(100);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5})
    void theLastBlockSums(long seed) {
        float[] x = floats(new Random(seed), 2500);
        float sum = 0;
        for (float value : x) {
            sum += value;
        }
        PtxLaunch.Memory memory = launch("lastBlock")
                .grid(6, 1, 1)
                .block(128, 1, 1)
                .floats("x", x)
                .floats("parts", new float[6])
                .floats("out", 0)
                .word(x.length)
                .run(seed);
        assertThat(memory.floats("out")).containsExactly(sum);
        assertThat(memory.words("ticket")).containsExactly(0);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5})
    void keptInAnyOrder(long seed) {
        int n = 333;
        int[] x = new Random(seed).ints(n, 0, 100).toArray();
        PtxLaunch.Memory memory = launch("compact")
                .grid(4, 1, 1)
                .block(96, 1, 1)
                .words("x", x)
                .words("kept", new int[n])
                .words("count", 0)
                .word(n)
                .run(seed);
        int[] expected = Arrays.stream(x).filter(v -> v % 3 == 0).sorted().toArray();
        assertThat(memory.words("count")).containsExactly(expected.length);
        assertThat(Arrays.stream(memory.words("kept"), 0, expected.length)
                        .sorted()
                        .toArray())
                .isEqualTo(expected);
    }

    @Test
    void structsByValue() {
        int n = 5;
        ByteBuffer all = ByteBuffer.allocate(32 * n).order(ByteOrder.LITTLE_ENDIAN);
        Random random = new Random(1);
        for (int i = 0; i < n; i++) {
            body(all, i, random);
        }
        ByteBuffer first = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        body(first, 0, random);
        PtxLaunch.Memory memory = launch("bodies")
                .struct(first.array())
                .buffer("all", all.array())
                .word(n)
                .run(4);
        ByteBuffer after = ByteBuffer.wrap(memory.completed().buffer("all")).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < n; i++) {
            ByteBuffer from = i == 0 ? first : all;
            float mass = from.getFloat(32 * i + 24);
            for (int axis = 0; axis < 3; axis++) {
                double expected = Math.fma(0.1 * i, (double) mass, from.getDouble(32 * i + 8 * axis));
                assertThat(after.getDouble(32 * i + 8 * axis)).isEqualTo(expected);
            }
            assertThat(after.getFloat(32 * i + 24)).isEqualTo(mass);
            assertThat(after.get(32 * i + 28)).isEqualTo((byte) (from.get(32 * i + 28) + 1));
        }
    }

    private static void body(ByteBuffer bytes, int index, Random random) {
        for (int axis = 0; axis < 3; axis++) {
            bytes.putDouble(32 * index + 8 * axis, random.nextGaussian());
        }
        bytes.putFloat(32 * index + 24, random.nextFloat());
        bytes.put(32 * index + 28, (byte) random.nextInt());
    }

    @Test
    void productsOf128Bits() {
        int n = 32;
        Random random = new Random(9);
        long[] x = random.longs(n).toArray();
        long[] y = random.longs(n).toArray();
        x[0] = -1;
        y[0] = -1;
        x[1] = 0;
        PtxLaunch.Memory memory = launch("wideProducts")
                .longs("x", x)
                .longs("y", y)
                .longs("high", new long[n])
                .longs("low", new long[n])
                .word(n)
                .run(0);
        for (int i = 0; i < n; i++) {
            BigInteger p =
                    unsigned(x[i]).multiply(unsigned(y[i])).add(unsigned(x[i])).subtract(unsigned(y[i]));
            assertThat(memory.longs("low")[i]).isEqualTo(p.longValue());
            assertThat(memory.longs("high")[i]).isEqualTo(p.shiftRight(64).longValue());
        }
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }
}
