package dev.tilewright.emulator.gemm;

import dev.tilewright.gemm.oracle.Bf16;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.type.ScalarType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Elements of matrices as bytes and back, written without the machine's own decoder. */
final class TypedValues {

    private TypedValues() {}

    /** A value near this one that the type holds: the nearest, or of 8 bits a multiple of 1/8 or 1/4 below 2. */
    static float nearest(DataType type, float value) {
        return switch (type) {
            case BF16 -> Bf16.toFloat(Bf16.ofFloat(value));
            case F16 -> Float.float16ToFloat(Float.floatToFloat16(value));
            case F32 -> value;
            case E4M3 -> Math.clamp(Math.round(value * 8), -15, 15) / 8f;
            case E5M2 -> Math.clamp(Math.round(value * 4), -7, 7) / 4f;
        };
    }

    static byte[] bytes(DataType type, float[] values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length * type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            switch (type) {
                case BF16 -> buffer.putShort(Bf16.ofFloat(value));
                case F16 -> buffer.putShort(Float.floatToFloat16(value));
                case F32 -> buffer.putFloat(value);
                case E4M3 -> buffer.put(eightBits(value, 7, 3));
                case E5M2 -> buffer.put(eightBits(value, 15, 2));
            }
        }
        return buffer.array();
    }

    static float[] read(DataType type, byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        float[] values = new float[bytes.length / type.bytes()];
        for (int i = 0; i < values.length; i++) {
            values[i] = switch (type) {
                case BF16 -> Bf16.toFloat(buffer.getShort());
                case F16 -> Float.float16ToFloat(buffer.getShort());
                case F32 -> buffer.getFloat();
                case E4M3, E5M2 -> throw new IllegalArgumentException("no family stores " + type);
            };
        }
        return values;
    }

    /** What bytes of any type hold, by the formats' definition; of 8 bits no infinities or NaN. */
    static float[] decoded(DataType type, byte[] bytes) {
        return switch (type) {
            case BF16, F16, F32 -> read(type, bytes);
            case E4M3 -> eights(bytes, 7, 3);
            case E5M2 -> eights(bytes, 15, 2);
        };
    }

    private static float[] eights(byte[] bytes, int bias, int mantissaBits) {
        float[] values = new float[bytes.length];
        for (int i = 0; i < values.length; i++) {
            int magnitude = bytes[i] & 0x7F;
            int exponent = magnitude >> mantissaBits;
            int fraction = magnitude & (1 << mantissaBits) - 1;
            int significand = exponent == 0 ? fraction : fraction + (1 << mantissaBits);
            float value = Math.scalb((float) significand, Math.max(exponent, 1) - bias - mantissaBits);
            values[i] = bytes[i] < 0 ? -value : value;
        }
        return values;
    }

    /** A multiple of 2^-mantissaBits below 2: sign, exponent with a bias, mantissa. */
    private static byte eightBits(float value, int bias, int mantissaBits) {
        int units = Math.round(Math.abs(value) * (1 << mantissaBits));
        int sign = value < 0 ? 0x80 : 0;
        if (units == 0) {
            return (byte) sign;
        }
        int exponent = 31 - Integer.numberOfLeadingZeros(units);
        int mantissa = (units << mantissaBits >> exponent) & (1 << mantissaBits) - 1;
        return (byte) (sign | exponent - mantissaBits + bias << mantissaBits | mantissa);
    }

    static ScalarType elementType(DataType type) {
        return switch (type) {
            case BF16 -> ScalarType.BF16;
            case F16 -> ScalarType.F16;
            case F32 -> ScalarType.F32;
            case E4M3, E5M2 -> ScalarType.U8;
        };
    }
}
