package dev.tilewright.emulator.matrix;

import dev.tilewright.ptx.type.Element;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Small integers as elements of matrices, written without the machine's own decoder. */
public final class Elements {
    private Elements() {}

    /** A matrix of integers that the type holds exactly. */
    public static int[][] random(SplittableRandom random, Element type, int rows, int columns) {
        int low = switch (type) {
            case U8 -> 0;
            case S8 -> -128;
            case E5M2, E4M3 -> -4;
            case F16, BF16, TF32, F32, F64, S32 -> -8;
        };
        int high = switch (type) {
            case U8 -> 255;
            case S8 -> 127;
            case E5M2, E4M3 -> 4;
            case F16, BF16, TF32, F32, F64, S32 -> 8;
        };
        int[][] matrix = new int[rows][columns];
        for (int[] row : matrix) {
            for (int i = 0; i < columns; i++) {
                row[i] = random.nextInt(low, high + 1);
            }
        }
        return matrix;
    }

    /** Puts the element, little-endian. */
    public static void put(ByteBuffer to, int at, Element type, int value) {
        switch (type) {
            case F16 -> to.putShort(at, Float.floatToFloat16(value));
            case BF16 -> to.putShort(at, (short) (Float.floatToRawIntBits(value) >>> 16));
            case TF32, F32 -> to.putFloat(at, value);
            case S8, U8 -> to.put(at, (byte) value);
            case S32 -> to.putInt(at, value);
            // An f16 with a mantissa of two bits is an e5m2 and a byte of zeros.
            case E5M2 -> to.put(at, (byte) (Float.floatToFloat16(value) >>> 8));
            case E4M3 -> to.put(at, e4m3(value));
            case F64 -> to.putDouble(at, value);
        }
    }

    private static byte e4m3(int value) {
        int sign = value < 0 ? 0x80 : 0;
        int magnitude = Math.abs(value);
        if (magnitude == 0) {
            return (byte) sign;
        }
        int exponent = 31 - Integer.numberOfLeadingZeros(magnitude);
        int mantissa = (magnitude << 3 >> exponent) & 7;
        return (byte) (sign | exponent + 7 << 3 | mantissa);
    }

    /** The element at an offset, as a number. */
    public static double get(ByteBuffer from, int at, Element type) {
        return switch (type) {
            case F16 -> Float.float16ToFloat(from.getShort(at));
            case F32 -> from.getFloat(at);
            case S32 -> from.getInt(at);
            case BF16, TF32, E4M3, E5M2, S8, U8, F64 -> throw new IllegalArgumentException("no accumulator: " + type);
        };
    }
}
