package dev.tilewright.emulator.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bit fields, bytes, pairs and carries, bit by bit as the manual defines them. */
class BitFieldTest {
    private static final int CASES = 256;
    private static final long WORD = 0xFFFFFFFFL;

    private static long[] random(int seed) {
        Random random = new Random(seed);
        long[] values = new long[CASES];
        for (int i = 0; i < CASES; i++) {
            values[i] = random.nextInt(4) == 0 ? random.nextInt(-3, 70) : random.nextLong() >> random.nextInt(60);
        }
        return values;
    }

    @FunctionalInterface
    private interface Expected {
        long of(long a, long b, long c);
    }

    private static void check(String instruction, String result, Expected expected) {
        long[] a = random(1);
        long[] b = random(2);
        long[] c = random(3);
        long[] results = OneInstruction.run(instruction, result, a, b, c);
        for (int i = 0; i < CASES; i++) {
            long mask = result.startsWith("%rd") ? -1 : result.startsWith("%h") ? 0xFFFF : WORD;
            assertThat(results[i])
                    .as("%s of %x, %x, %x", instruction, a[i], b[i], c[i])
                    .isEqualTo(expected.of(a[i], b[i], c[i]) & mask);
        }
    }

    private static boolean bit(long value, int at) {
        return at < 64 && (value >>> at & 1) != 0;
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 64})
    void insert(int bits) {
        String r = bits == 32 ? "%r" : "%rd";
        check("bfi.b" + bits + " " + r + "4, " + r + "1, " + r + "2, %r3, 9;", r + "4", (a, b, c) -> {
            long result = 0;
            int position = (int) c & 0xFF;
            for (int i = 0; i < bits; i++) {
                boolean inside = i >= position && i < position + 9;
                result |= (bit(inside ? a : b, inside ? i - position : i) ? 1L : 0) << i;
            }
            return result;
        });
        check("bfi.b" + bits + " " + r + "4, " + r + "1, " + r + "2, 3, %r3;", r + "4", (a, b, c) -> {
            long result = 0;
            for (int i = 0; i < bits; i++) {
                boolean inside = i >= 3 && i < 3 + (int) (c & 0xFF);
                result |= (bit(inside ? a : b, inside ? i - 3 : i) ? 1L : 0) << i;
            }
            return result;
        });
    }

    @ParameterizedTest
    @CsvSource({"u32,32", "s32,32", "u64,64", "s64,64"})
    void extract(String type, int bits) {
        String r = bits == 32 ? "%r" : "%rd";
        check("bfe." + type + " " + r + "4, " + r + "1, %r2, %r3;", r + "4", (a, b, c) -> {
            int position = (int) b & 0xFF;
            int length = (int) c & 0xFF;
            boolean sign = type.startsWith("s") && length > 0 && bit(a, Math.min(position + length - 1, bits - 1));
            long result = 0;
            for (int i = 0; i < bits; i++) {
                boolean set = i < length && position + i < bits ? bit(a, position + i) : sign;
                result |= (set ? 1L : 0) << i;
            }
            return result;
        });
    }

    @ParameterizedTest
    @CsvSource({"l,wrap", "l,clamp", "r,wrap", "r,clamp"})
    void funnelShift(String way, String mode) {
        check("shf." + way + "." + mode + ".b32 %r4, %r1, %r2, %r3;", "%r4", (a, b, c) -> {
            int n = (int) (mode.equals("wrap") ? c & 31 : Math.min(c & WORD, 32));
            BigInteger both = BigInteger.valueOf(b & WORD).shiftLeft(32).or(BigInteger.valueOf(a & WORD));
            return way.equals("l")
                    ? both.shiftLeft(n).shiftRight(32).longValue()
                    : both.shiftRight(n).longValue();
        });
    }

    @ParameterizedTest
    @CsvSource({"u32,32", "s32,32", "u64,64", "s64,64"})
    void findHighest(String type, int bits) {
        String r = bits == 32 ? "%r1" : "%rd1";
        Expected plain = (a, b, c) -> {
            boolean flip = type.startsWith("s") && bit(a, bits - 1);
            for (int i = bits - 1; i >= 0; i--) {
                if (bit(flip ? ~a : a, i)) {
                    return i;
                }
            }
            return -1;
        };
        check("bfind." + type + " %r4, " + r + ";", "%r4", plain);
        check("bfind.shiftamt." + type + " %r4, " + r + ";", "%r4", (a, b, c) -> {
            long found = plain.of(a, b, c);
            return found < 0 ? -1 : bits - 1 - found;
        });
    }

    @Test
    void masks() {
        check(
                "bmsk.clamp.b32 %r4, %r1, %r2;",
                "%r4", (a, b, c) -> {
                    long result = 0;
                    for (int i = 0; i < 32; i++) {
                        boolean inside = i >= (a & WORD) && i - (a & WORD) < (b & WORD);
                        result |= (inside ? 1L : 0) << i;
                    }
                    return result;
                });
        check("bmsk.wrap.b32 %r4, %r1, %r2;", "%r4", (a, b, c) -> (1L << (b & 31)) - 1 << (a & 31));
    }

    /** The second table of PTX 9.7.9.7: from the lowest byte of the result to the highest. */
    @ParameterizedTest
    @CsvSource({
        "f4e,0123,1234,2345,3456",
        "b4e,0765,1076,2107,3210",
        "rc8,0000,1111,2222,3333",
        "ecl,0123,1123,2223,3333",
        "ecr,0000,0111,0122,0123",
        "rc16,0101,2323,0101,2323"
    })
    void permuteModes(String mode, String zero, String one, String two, String three) {
        String[] picks = {zero, one, two, three};
        check("prmt.b32." + mode + " %r4, %r1, %r2, %r3;", "%r4", (a, b, c) -> {
            String pick = picks[(int) c & 3];
            long result = 0;
            for (int i = 0; i < 4; i++) {
                int from = pick.charAt(i) - '0';
                long source = from < 4 ? a : b;
                result |= (source >>> 8 * (from & 3) & 0xFF) << 8 * i;
            }
            return result;
        });
    }

    @Test
    void sumsOfDifferences() {
        check("sad.u32 %r4, %r1, %r2, %r3;", "%r4", (a, b, c) -> Math.abs((a & WORD) - (b & WORD)) + c);
        check("sad.s32 %r4, %r1, %r2, %r3;", "%r4", (a, b, c) -> Math.abs((long) (int) a - (int) b) + c);
        check("sad.s16 %h4, %h1, %h2, %h3;", "%h4", (a, b, c) -> Math.abs((short) a - (short) b) + c);
        check(
                "sad.u64 %rd4, %rd1, %rd2, %rd3;",
                "%rd4", (a, b, c) -> (Long.compareUnsigned(a, b) < 0 ? b - a : a - b) + c);
    }

    @Test
    void pairs() {
        check("add.u16x2 %r4, %r1, %r2;", "%r4", (a, b, c) -> (a + b & 0xFFFF) | (a >>> 16) + (b >>> 16) << 16);
        check(
                "min.u16x2 %r4, %r1, %r2;",
                "%r4",
                (a, b, c) -> Math.min(a & 0xFFFF, b & 0xFFFF) | Math.min(a >>> 16 & 0xFFFF, b >>> 16 & 0xFFFF) << 16);
        check(
                "max.relu.s16x2 %r4, %r1, %r2;",
                "%r4",
                (a, b, c) -> Math.max(0, Math.max((short) a, (short) b))
                        | (long) Math.max(0, Math.max((short) (a >>> 16), (short) (b >>> 16))) << 16);
    }

    @ParameterizedTest
    @CsvSource({"u32,u32", "u32,s32", "s32,u32", "s32,s32"})
    void dotProducts(String left, String right) {
        check("dp4a." + left + "." + right + " %r4, %r1, %r2, %r3;", "%r4", (a, b, c) -> {
            long sum = c;
            for (int i = 0; i < 4; i++) {
                long x = left.equals("s32") ? (byte) (a >>> 8 * i) : a >>> 8 * i & 0xFF;
                long y = right.equals("s32") ? (byte) (b >>> 8 * i) : b >>> 8 * i & 0xFF;
                sum += x * y;
            }
            return sum;
        });
    }

    /** 96 bits in three words, and 128 in two long ones. */
    @Test
    void sumsOfManyWords() {
        String three = """
                cvt.u32.u64 %r4, %rd1; shr.u64 %rd4, %rd1, 32; cvt.u32.u64 %r5, %rd4;
                cvt.u32.u64 %r6, %rd2; shr.u64 %rd4, %rd2, 32; cvt.u32.u64 %r7, %rd4;
                """;
        check(
                three + "add.cc.u32 %r9, %r4, %r6; addc.cc.u32 %r9, %r5, %r7; addc.u32 %r9, %r3, %r3;",
                "%r9",
                (a, b, c) -> unsigned(a).add(unsigned(b)).shiftRight(64).longValue() + 2 * c);
        check(
                three + "sub.cc.u32 %r9, %r4, %r6; subc.cc.u32 %r9, %r5, %r7; subc.u32 %r9, %r3, 0;",
                "%r9",
                (a, b, c) -> c - (Long.compareUnsigned(a, b) < 0 ? 1 : 0));
        check(
                "mad.lo.cc.u64 %rd4, %rd1, %rd2, %rd3; madc.hi.u64 %rd5, %rd1, %rd2, 7;",
                "%rd5",
                (a, b, c) -> unsigned(a)
                        .multiply(unsigned(b))
                        .add(unsigned(c))
                        .shiftRight(64)
                        .add(BigInteger.valueOf(7))
                        .longValue());
        check(
                "sub.cc.u64 %rd4, %rd1, %rd2; subc.cc.u64 %rd4, %rd3, -1; subc.u64 %rd5, 0, 0;",
                "%rd5",
                (a, b, c) -> unsigned(a)
                                        .add(unsigned(c).shiftLeft(64))
                                        .compareTo(unsigned(b).add(unsigned(-1).shiftLeft(64)))
                                < 0
                        ? -1
                        : 0);
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    @Test
    void saturation() {
        check(
                "add.sat.s32 %r4, %r1, %r2;",
                "%r4", (a, b, c) -> Math.clamp((long) (int) a + (int) b, Integer.MIN_VALUE, Integer.MAX_VALUE));
        check(
                "sub.sat.s32 %r4, %r1, %r2;",
                "%r4", (a, b, c) -> Math.clamp((long) (int) a - (int) b, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    @Test
    void selections() {
        check("slct.u64.s32 %rd4, %rd1, %rd2, %r3;", "%rd4", (a, b, c) -> (int) c >= 0 ? a : b);
        check("set.lt.and.u32.s32 %r4, %r1, %r2, %p3;", "%r4", (a, b, c) -> (int) a < (int) b && (c & 1) != 0 ? -1 : 0);
        check("set.hs.f32.u32 %f4, %r1, %r2;", "%f4", (a, b, c) -> (a & WORD) >= (b & WORD) ? 0x3F800000 : 0);
        check(
                "setp.ge.xor.s64 %p4|%p5, %rd1, %rd2, !%p3; selp.u32 %r4, 2, 0, %p5; @%p4 add.u32 %r4, %r4, 1;",
                "%r4", (a, b, c) -> {
                    boolean not = (c & 1) == 0;
                    return (a >= b ^ not ? 1 : 0) + (a < b ^ not ? 2 : 0);
                });
        check(
                "mov.pred %p4, -1; mov.pred %p5, 0; and.pred %p4, %p4, %p5; selp.u32 %r4, 1, 2, %p4;",
                "%r4", (a, b, c) -> 2);
    }
}
