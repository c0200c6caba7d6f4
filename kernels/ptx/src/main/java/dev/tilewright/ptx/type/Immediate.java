package dev.tilewright.ptx.type;

import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.F64;

/**
 * A constant, kept as its bits: integers sign-extended from the size of {@code type} (so 0xffffffff and -1 of 32 bits
 * are the same constant), floats as their IEEE bits.
 */
public record Immediate<T extends RegisterType>(ScalarType type, long bits) implements Operand<T> {
    public Immediate {
        int size = type.bits();
        if (size > 64 || size < 8) {
            throw new IllegalArgumentException("immediate: no constants of type ." + type.ptx());
        }
        if (size < 64) {
            long low = -(1L << (size - 1));
            long high = (1L << size) - 1;
            if (bits < low || bits > high) {
                throw new IllegalArgumentException(
                        "immediate: ." + type.ptx() + " must be in " + low + ".." + high + ", got " + bits);
            }
            bits = bits << (64 - size) >> (64 - size);
        }
    }

    public static Immediate<B16> b16(long value) {
        return new Immediate<>(ScalarType.B16, value);
    }

    public static Immediate<B32> b32(long value) {
        return new Immediate<>(ScalarType.B32, value);
    }

    public static Immediate<B64> b64(long value) {
        return new Immediate<>(ScalarType.B64, value);
    }

    public static Immediate<F32> f32(float value) {
        return new Immediate<>(ScalarType.F32, Float.floatToRawIntBits(value));
    }

    public static Immediate<F64> f64(double value) {
        return new Immediate<>(ScalarType.F64, Double.doubleToRawLongBits(value));
    }

    /** The value as an unsigned number of its size. */
    public long unsigned() {
        return type.bits() == 64 ? bits : bits & ((1L << type.bits()) - 1);
    }
}
