package dev.tilewright.emulator.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The compiler output with which the parser is tested, run and compared with what its source says. */
class CompilerOutputTest {
    private static PtxLaunch launch(String file, String entry) {
        try {
            return new PtxLaunch(
                    Files.readString(Path.of("../ptx/src/test/resources/dev/tilewright/ptx/parse/nvcc", file + ".ptx")),
                    entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PtxLaunch calls(float[] x, float[] c, int n) {
        return launch("calls", "calls")
                .block(x.length, 1, 1)
                .floats("x", x)
                .floats("c", c)
                .word(n);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3})
    void functions(long seed) {
        float[] x = new float[40];
        for (int i = 0; i < 40; i++) {
            x[i] = 1 + i;
        }
        float[] c = {1, -2, 3, 0.5f, 2};
        float[] after = calls(x, c, 5).run(seed).floats("x");
        for (int i = 0; i < 40; i++) {
            float y = 0;
            for (float factor : c) {
                y = Math.fma(y, x[i], factor);
            }
            assertThat(after[i]).isEqualTo(x[i] * 3 + (y + x[i]));
        }
    }

    @Test
    void assertionsPrintingAndTraps() {
        Finding failed = calls(new float[32], new float[3], 3).finding(1);
        assertThat(failed.hazard()).isInstanceOf(Hazard.Trapped.class);
        assertThat(failed.message())
                .contains("assertion 'n > 3' failed in void calls(float *, const float *, int), calls.cu line 22");
        float[] negative = new float[32];
        Arrays.fill(negative, -1);
        assertThat(calls(negative, new float[4], 4).finding(1).message())
                .contains("vprintf called, to print: negative -4.000000 in ");
        float[] zero = new float[32];
        assertThat(calls(zero, new float[1001], 1001).finding(1).message()).startsWith("trap executed");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5})
    void ways(long seed) {
        // Every thread at its own twelve words, so that no two meet but in the atomics on the first two.
        int[] choices = {0, 1, 3, 5, 9, 10, -4};
        for (int choice : choices) {
            int[] p = new int[64];
            Arrays.fill(p, 77);
            p[0] = choice;
            int[] after = launch("calls", "choose")
                    .block(1, 1, 1)
                    .words("p", p)
                    .word(4)
                    .run(seed)
                    .words("p");
            int expected = switch (choice) {
                case 0 -> 12;
                case 1 -> 1 ^ 4;
                case 3 -> 77 / 4;
                case 5 -> Integer.numberOfLeadingZeros(77);
                case 9 -> 9;
                default -> -1;
            };
            assertThat(after[0]).as("choice %d", choice).isEqualTo(expected);
        }
        int[] mixed = new int[40];
        int[] all = {4, 6, 1, 0, 9, 12, 5};
        for (int i = 0; i < 32; i++) {
            mixed[i] = i < 2 ? 9 : all[i % 7];
        }
        int[] after =
                launch("calls", "choose").words("p", mixed).word(1000).run(seed).words("p");
        int fours = 0;
        int most = 9;
        for (int i = 2; i < 32; i++) {
            fours += mixed[i] == 4 ? 1 : 0;
            most = mixed[i] == 6 ? Math.max(most, i) : most;
        }
        assertThat(after[0]).isEqualTo(9 + 1000 * fours);
        assertThat(after[1]).isEqualTo(most);
        for (int i = 2; i < 32; i++) {
            switch (mixed[i]) {
                case 0 -> assertThat(after[i]).isEqualTo(3000);
                case 1 -> assertThat(after[i]).isEqualTo(1 ^ 1000);
                case 12 -> assertThat(after[i]).isEqualTo(-1);
                default -> {}
            }
        }
    }

    /** One thread, for threads of this kernel read what their neighbours write. */
    @Test
    void integers() {
        Random random = new Random(3);
        for (int round = 0; round < 20; round++) {
            long[] l = random.longs(2).toArray();
            int[] w = random.ints(8).toArray();
            short[] h = {(short) random.nextInt(), (short) random.nextInt(), (short) random.nextInt()};
            byte[] b = {(byte) random.nextInt()};
            long[] u = random.longs(8).toArray();
            int[] v = random.ints(8).toArray();
            PtxLaunch.Memory memory = launch("integers", "integers")
                    .block(1, 1, 1)
                    .longs("l", l)
                    .words("w", w)
                    .shorts("h", h)
                    .buffer("b", b)
                    .longs("u", u)
                    .words("v", v)
                    .run(round);
            new IntegersInJava(l, w, h, b, u, v).run();
            assertThat(memory.longs("l")).isEqualTo(l);
            assertThat(memory.longs("u")).isEqualTo(u);
            assertThat(memory.words("v")).isEqualTo(v);
            assertThat(memory.shorts("h")).isEqualTo(h);
            assertThat(memory.completed().buffer("b")).isEqualTo(b);
            assertThat(memory.words("w")).isEqualTo(w);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 16, 31})
    void localArrays(int n) {
        int[] out = new Random(n).ints(32, 0, 1000).toArray();
        int[] after = launch("integers", "locals")
                .block(1, 1, 1)
                .words("out", out)
                .word(n)
                .run(n)
                .words("out");
        int[] scratch = new int[16];
        for (int i = 0; i < 16; i++) {
            scratch[i] = i * n;
        }
        for (int i = 0; i < n; i++) {
            scratch[i * 7 + n & 15] += scratch[out[i] & 15];
        }
        assertThat(after[0]).isEqualTo(scratch[0]);
    }

    @Test
    void argumentsByValue() {
        for (boolean on : new boolean[] {false, true}) {
            ByteBuffer struct = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
            struct.putInt(0, 7).putDouble(8, 2.5).put(26, (byte) (on ? 1 : 0));
            short[] offsets = {1, -2, 300, -400, 5};
            for (int i = 0; i < 5; i++) {
                struct.putShort(16 + 2 * i, offsets[i]);
            }
            double[] out = launch("integers", "arguments")
                    .struct(struct.array())
                    .struct(new byte[] {-9})
                    .struct(new byte[] {(byte) 0x34, (byte) 0xF2})
                    .wide(Double.doubleToRawLongBits(0.125))
                    .struct(new byte[] {(byte) (on ? 1 : 0)})
                    .doubles("out", new double[32])
                    .run(2)
                    .doubles("out");
            for (int i = 0; i < 32; i++) {
                double rest = on ? -9 + 0.125 : 0xF234;
                assertThat(out[i]).isEqualTo(7 * 2.5 + offsets[i % 5] + rest);
            }
        }
    }

    @Test
    void saxpy() {
        int n = 150;
        float[] x = new float[n];
        float[] y = new float[n];
        for (int i = 0; i < n; i++) {
            x[i] = i * 0.3f;
            y[i] = 1f / (i + 1);
        }
        float[] after = launch("saxpy", "saxpy")
                .grid(2, 1, 1)
                .block(96, 1, 1)
                .word(n)
                .real(1.7f)
                .floats("x", x)
                .floats("y", y)
                .run(1)
                .floats("y");
        for (int i = 0; i < n; i++) {
            assertThat(after[i]).isEqualTo(Math.fma(1.7f, x[i], y[i]));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2})
    void sgemm(long seed) {
        int m = 37;
        int n = 20;
        int k = 45;
        Random random = new Random(seed);
        float[] a = new float[m * k];
        float[] b = new float[k * n];
        for (int i = 0; i < a.length; i++) {
            a[i] = random.nextInt(-9, 10);
        }
        for (int i = 0; i < b.length; i++) {
            b[i] = random.nextInt(-9, 10);
        }
        float[] c = launch("saxpy", "sgemm")
                .grid(2, 3, 1)
                .block(16, 16, 1)
                .floats("a", a)
                .floats("b", b)
                .floats("c", new float[m * n])
                .word(m)
                .word(n)
                .word(k)
                .run(seed)
                .floats("c");
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                float sum = 0;
                for (int s = 0; s < k; s++) {
                    sum += a[i * k + s] * b[s * n + j];
                }
                assertThat(c[i * n + j]).isEqualTo(sum);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2})
    void sum(long seed) {
        float[] x = new float[4 * 500];
        double expected = 0;
        for (int i = 0; i < x.length; i++) {
            x[i] = i % 17;
            expected += x[i];
        }
        PtxLaunch.Memory memory = launch("saxpy", "sum")
                .grid(3, 1, 1)
                .block(96, 1, 1)
                .dynamicShared(12)
                .floats("x", x)
                .doubles("out", 0)
                .longs("count", 0)
                .word(500)
                .run(seed);
        assertThat(memory.doubles("out")).containsExactly(expected);
        assertThat(memory.longs("count")).containsExactly(3);
    }

    /** Every second instruction exchanges something; all lanes are in the mask. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3})
    void warps(long seed) {
        int[] u = new int[35];
        int[] w = new int[35];
        float[] f = new float[33];
        long[] l = new long[32];
        for (int i = 0; i < 35; i++) {
            u[i] = i % 5;
            w[i] = 1 + i % 3;
        }
        for (int i = 0; i < 32; i++) {
            f[i] = i * i;
        }
        PtxLaunch.Memory memory = launch("warps", "warps")
                .words("u", u)
                .words("w", w)
                .floats("f", f)
                .longs("l", l)
                .run(seed);
        float[] exchanged = new float[33];
        for (int i = 0; i < 32; i++) {
            int up = i % 8 >= 2 ? i - 2 : i;
            exchanged[i] = f[i ^ 3] + f[up] + f[5];
        }
        assertThat(memory.floats("f")).isEqualTo(exchanged);
        int[] counts = memory.words("w");
        for (int i = 0; i < 32; i++) {
            // 32 say yes; all neighbours do; none of those two further is 0; the largest w is 3.
            assertThat(counts[i]).isEqualTo(32 + 1 + 0 + 3);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3})
    void atomics(long seed) {
        int[] u = new int[80];
        int[] w = {9, 3, 40, 1};
        int[] words = Arrays.copyOf(w, 35);
        PtxLaunch.Memory memory = launch("warps", "atomics")
                .words("u", u)
                .words("w", words)
                .longs("l", new long[34])
                .longs("s", 5)
                .floats("f", new float[8])
                .doubles("d", 1)
                .shorts("h", (short) 1)
                .run(seed);
        assertThat(memory.floats("f")).containsExactly(48, 0, 0, 0, 32, 64, 96, 128);
        assertThat(memory.doubles("d")).containsExactly(1 + 32 * 2.5);
        assertThat(memory.shorts("h")).containsExactly((short) 2);
        assertThat(memory.longs("s")).containsExactly(-3);
        // 32 counts modulo 8, and down from 0 by way of 9; the rest of the words settle after the first.
        assertThat(memory.words("u")).startsWith(0, 8, 3, 0, 0, 0);
        assertThat(memory.words("w")).startsWith(4, 5, 40 - 32 * 6);
        // Each of the 32 bins holds the zeros of u, but those that were compared and swapped, or set.
        assertThat(Arrays.copyOfRange(memory.words("u"), 48, 80)).startsWith(32, 0, 0, 0, 0);
    }

    @Test
    void floatsAgainstTheLibrary() {
        Random random = new Random(11);
        for (int round = 0; round < 10; round++) {
            float[] f = new float[12];
            for (int i = 0; i < f.length; i++) {
                f[i] = 0.3f + 2 * random.nextFloat();
            }
            double[] d = {1.25, 3.5, 2.25, 0.75, 7};
            PtxLaunch.Memory memory = launch("halves", "floats")
                    .block(1, 1, 1)
                    .floats("f", f)
                    .doubles("d", d)
                    .words("w", 0, 0)
                    .longs("l", 0, 0)
                    .buffer("c", new byte[4])
                    .run(round);
            FloatsInJava expected = new FloatsInJava(f, d);
            expected.run();
            float[] after = memory.floats("f");
            for (int i : new int[] {0, 4, 5, 6, 7}) {
                assertThat((double) after[i])
                        .as("f[%d]", i)
                        .isCloseTo(expected.f[i], offset(2e-5 * Math.abs(expected.f[i]) + 1e-6));
            }
            assertThat(memory.words("w")[0]).isEqualTo(expected.w);
            assertThat(memory.longs("l")[0]).isEqualTo(expected.l);
            assertThat(memory.completed().buffer("c")[0]).isEqualTo((byte) expected.c);
            assertThat(memory.doubles("d")[0]).isCloseTo(expected.d[0], offset(1e-4));
        }
    }

    /** Small integers, so that every half is exact. */
    @Test
    void halves() {
        int[] h = {3, 2, 5, 1, 4, 2, -6, 9, 0};
        short[] half = new short[9];
        for (int i = 0; i < 9; i++) {
            half[i] = Float.floatToFloat16(h[i]);
        }
        int[] b = {2, 3, 1, 2, 2, 7, 4, 0, 0};
        short[] bfloat = new short[9];
        for (int i = 0; i < 9; i++) {
            bfloat[i] = (short) (Float.floatToRawIntBits(b[i]) >>> 16);
        }
        short[] pairs = new short[24];
        Arrays.fill(pairs, Float.floatToFloat16(0.25f));
        short[] bpairs = new short[24];
        Arrays.fill(bpairs, (short) 0x4000);
        PtxLaunch.Memory memory = launch("halves", "halves")
                .block(1, 1, 1)
                .shorts("h", half)
                .shorts("h2", pairs)
                .shorts("b", bfloat)
                .shorts("b2", bpairs)
                .floats("f", new float[4])
                .run(1);
        // h = fma(3,2,5) + 1*4 - max(3,2) + |-6| + sqrt(9), then added to itself.
        float sum = 11 + 4 - 3 + 6 + 3;
        assertThat(Float.float16ToFloat(memory.shorts("h")[0])).isEqualTo(2 * sum);
        assertThat(memory.shorts("h")[8]).isEqualTo(Float.floatToFloat16(0));
        // b = fma(2,3,1) + 2*2 + min(2,7) - 4.
        assertThat(Float.intBitsToFloat(memory.shorts("b")[0] << 16)).isEqualTo(7 + 4 + 2 - 4);
        // b2 = fma(2,2,2) + max(2,2) + 2*2, twice.
        assertThat(Float.intBitsToFloat(memory.shorts("b2")[0] << 16)).isEqualTo(24);
        float low = 0.25f * 0.25f + 0.25f + 0.5f + 0.25f - (float) Math.pow(2, 0.25);
        assertThat((double) Float.float16ToFloat(memory.shorts("h2")[0])).isCloseTo(2 * low, offset(0.004));
    }
}
