package dev.tilewright.gemm.oracle;

import dev.tilewright.model.problem.Activation;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Compare.Relation;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.F64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;

/**
 * The functions of epilogues in f64, by operations that IEEE 754 defines to the bit: no approximate instruction decides
 * what is right.
 */
public final class EpilogueMath {

    /** Behind this erf is 1 in f64. */
    private static final double FLAT = 6;

    /** Behind this an exponential is as good as 0 or infinite. */
    private static final double MOST_EXPONENT = 700;

    /** Terms of the series of exp on half a binade: the rest is below 2^-56. */
    private static final int EXP_TERMS = 14;

    /** {@code ln 2} in two parts: the first has 32 bits, so that its product with an exponent is exact. */
    private static final double LN2_HIGH = 0x1.62e42feep-1;

    private static final double LN2_LOW = 0x1.a39ef35793c76p-33;

    private EpilogueMath() {}

    /** An element of a packed buffer. */
    static Reg<F64> load(CodeBuilder b, DataType type, Reg<B64> base, Reg<B64> index) {
        GlobalAddress at = GlobalAddress.of(b.mad(index, type.bytes(), base));
        return switch (type) {
            case F32 -> wide(b, b.ldF32(at));
            case F16 -> wide(b, b.floatOfF16(half(b, at)));
            case BF16 -> wide(b, b.floatOfBf16(half(b, at)));
            case E4M3, E5M2 ->
                throw new IllegalArgumentException("what an epilogue adds is bf16, f16 or f32, got " + type);
        };
    }

    private static Reg<B16> half(CodeBuilder b, GlobalAddress at) {
        Reg<B16> half = b.b16();
        b.ld(ScalarType.B16, half, at);
        return half;
    }

    static Reg<F64> wide(CodeBuilder b, Reg<F32> value) {
        Reg<F64> wide = b.f64();
        b.cvt(Rounding.NONE, ScalarType.F64, ScalarType.F32, wide, value);
        return wide;
    }

    static Reg<F64> value(CodeBuilder b, Activation function, Reg<F64> x) {
        return switch (function) {
            case NONE -> x;
            case RELU -> b.select(less(b, x, 0), number(0), x);
            // x / 2 (1 + tanh u) is x / (1 + exp(-2 u)).
            case GELU_TANH -> {
                Reg<F64> cubed = b.fmul(b.fmul(x, x), b.fmul(x, number(0.044715)));
                yield logistic(b, x, b.fmul(b.fadd(x, cubed), number(2 * Math.sqrt(2 / Math.PI))));
            }
            case GELU_ERF ->
                b.fmul(b.fmul(x, number(0.5)), b.fadd(erf(b, b.fdiv(x, b.mov(number(Math.sqrt(2))))), number(1)));
            case SILU -> logistic(b, x, x);
        };
    }

    /** {@code x / (1 + exp(-y))}. */
    private static Reg<F64> logistic(CodeBuilder b, Reg<F64> x, Reg<F64> y) {
        return b.fdiv(x, b.fadd(exp(b, b.fneg(y)), number(1)));
    }

    /** By powers of 2 and a series; beyond {@link #MOST_EXPONENT} what it is there. */
    private static Reg<F64> exp(CodeBuilder b, Reg<F64> x) {
        Reg<F64> clamped = b.fmin(b.fmax(x, number(-MOST_EXPONENT)), number(MOST_EXPONENT));
        Reg<B64> power = b.b64();
        b.cvt(Rounding.RNI, ScalarType.S64, ScalarType.F64, power, b.fmul(clamped, number(1 / Math.log(2))));
        Reg<F64> whole = b.f64();
        b.cvt(Rounding.RN, ScalarType.F64, ScalarType.S64, whole, power);
        Reg<F64> rest = b.fma(whole, number(-LN2_HIGH), clamped);
        rest = b.fma(whole, number(-LN2_LOW), rest);
        Reg<F64> sum = b.mov(number(1));
        for (int n = EXP_TERMS; n > 0; n--) {
            sum = b.fma(b.fmul(rest, number(1.0 / n)), sum, number(1));
        }
        Reg<F64> scale = b.f64();
        b.with(new Move.Copy(ScalarType.B64, scale, b.shl(b.add(power, 1023), 52)));
        return b.fmul(sum, scale);
    }

    /** By the series of which no term is negative: 2/sqrt(pi) exp(-x^2) (x + 2 x^3/3 + 4 x^5/15 + ...). */
    private static Reg<F64> erf(CodeBuilder b, Reg<F64> x) {
        Reg<F64> result = b.f64();
        b.mov(result, b.select(less(b, x, 0), number(-1), b.mov(number(1))));
        // A NaN is not flat: it comes out of the series.
        b.ifThen(b.setp(Relation.LTU, ScalarType.F64, b.fabs(x), number(FLAT)), near -> {
            Reg<F64> squared = near.fmul(x, x);
            Reg<F64> twice = near.fadd(squared, squared);
            Reg<F64> term = near.mov(x);
            Reg<F64> sum = near.mov(x);
            Reg<F64> odd = near.mov(number(1));
            near.doWhile("series", l -> {
                l.fadd(odd, odd, number(2));
                l.fmul(term, term, l.fdiv(twice, odd));
                l.fadd(sum, sum, term);
                return l.setp(Relation.GT, ScalarType.F64, l.fabs(term), l.fmul(l.fabs(sum), number(0x1p-54)));
            });
            Reg<F64> scale = near.fmul(exp(near, near.fneg(squared)), number(2 / Math.sqrt(Math.PI)));
            near.fmul(result, scale, sum);
        });
        return result;
    }

    private static Reg<Pred> less(CodeBuilder b, Reg<F64> x, double limit) {
        return b.setp(Relation.LT, ScalarType.F64, x, number(limit));
    }

    private static Immediate<F64> number(double value) {
        return Immediate.f64(value);
    }
}
