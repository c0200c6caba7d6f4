package dev.tilewright.ptx.type;

import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.F64;
import dev.tilewright.ptx.type.RegisterType.Pred;

/**
 * A virtual register. {@code T} is for the Java compiler, {@code type} is what the declaration says; the name carries
 * its leading percent sign, if it has one.
 */
public record Reg<T extends RegisterType>(ScalarType type, String name) implements Operand<T> {
    public Reg {
        if (!isName(name)) {
            throw new IllegalArgumentException("register: a name is a PTX identifier, got '" + name + "'");
        }
    }

    /** Letters, digits, _ and $ behind a letter, or at least one of them behind %, _ or $. */
    private static boolean isName(String name) {
        int length = name.length();
        for (int i = 0; i < length; i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            boolean sign = c == '_' || c == '$' || (c == '%' && i == 0);
            if (!letter && !(sign && (i > 0 || length > 1)) && !(c >= '0' && c <= '9' && i > 0)) {
                return false;
            }
        }
        return length > 0;
    }

    public static Reg<Pred> pred(String name) {
        return new Reg<>(ScalarType.PRED, name);
    }

    public static Reg<B32> b32(String name) {
        return new Reg<>(ScalarType.B32, name);
    }

    public static Reg<B64> b64(String name) {
        return new Reg<>(ScalarType.B64, name);
    }

    public static Reg<F32> f32(String name) {
        return new Reg<>(ScalarType.F32, name);
    }

    public static Reg<F64> f64(String name) {
        return new Reg<>(ScalarType.F64, name);
    }
}
