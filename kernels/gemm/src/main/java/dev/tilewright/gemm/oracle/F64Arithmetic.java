package dev.tilewright.gemm.oracle;

import dev.tilewright.model.problem.Arithmetic;
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
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;

/** Arithmetic on a GPU, by operations that IEEE 754 defines to the bit: no approximate instruction decides here. */
record F64Arithmetic(CodeBuilder b) implements Arithmetic<Reg<F64>> {

    /** Behind this erf is 1 in f64. */
    private static final double FLAT = 6;

    /** Behind this an exponential is as good as 0 or infinite. */
    private static final double MOST_EXPONENT = 700;

    /** Terms of the series of exp on half a binade: the rest is below 2^-56. */
    private static final int EXP_TERMS = 14;

    /** {@code ln 2} in two parts: the first has 32 bits, so that its product with an exponent is exact. */
    private static final double LN2_HIGH = 0x1.62e42feep-1;

    private static final double LN2_LOW = 0x1.a39ef35793c76p-33;

    /** An element of a packed buffer. */
    Reg<F64> load(DataType type, Reg<B64> base, Reg<B64> index) {
        GlobalAddress at = GlobalAddress.of(b.mad(index, type.bytes(), base));
        return switch (type) {
            case F32 -> wide(b.ldF32(at));
            case F16 -> wide(b.floatOfF16(half(at)));
            case BF16 -> wide(b.floatOfBf16(half(at)));
            case E4M3, E5M2 ->
                throw new IllegalArgumentException("what an epilogue adds is bf16, f16 or f32, got " + type);
        };
    }

    private Reg<B16> half(GlobalAddress at) {
        Reg<B16> half = b.b16();
        b.ld(ScalarType.B16, half, at);
        return half;
    }

    Reg<F64> wide(Reg<F32> value) {
        Reg<F64> wide = b.f64();
        b.cvt(Rounding.NONE, ScalarType.F64, ScalarType.F32, wide, value);
        return wide;
    }

    @Override
    public Reg<F64> number(double constant) {
        return b.mov(Immediate.f64(constant));
    }

    @Override
    public Reg<F64> passed(double written) {
        return number((float) written);
    }

    @Override
    public Reg<F64> plus(Reg<F64> x, Reg<F64> y) {
        return b.fadd(x, y);
    }

    @Override
    public Reg<F64> times(Reg<F64> x, Reg<F64> y) {
        return b.fmul(x, y);
    }

    @Override
    public Reg<F64> over(Reg<F64> x, Reg<F64> y) {
        return b.fdiv(x, y);
    }

    @Override
    public Reg<F64> abs(Reg<F64> x) {
        return b.fabs(x);
    }

    /** Not by {@code max}, which takes the limit for a NaN. */
    @Override
    public Reg<F64> atLeast(Reg<F64> x, Reg<F64> limit) {
        return b.select(b.setp(Relation.LT, ScalarType.F64, x, limit), limit, x);
    }

    @Override
    public Reg<F64> atMost(Reg<F64> x, Reg<F64> limit) {
        return b.select(b.setp(Relation.GT, ScalarType.F64, x, limit), limit, x);
    }

    /** By powers of 2 and a series; beyond {@link #MOST_EXPONENT} as there. */
    @Override
    public Reg<F64> exp(Reg<F64> x) {
        Reg<F64> clamped = b.fmin(b.fmax(x, Immediate.f64(-MOST_EXPONENT)), Immediate.f64(MOST_EXPONENT));
        Reg<B64> power = b.b64();
        b.cvt(Rounding.RNI, ScalarType.S64, ScalarType.F64, power, b.fmul(clamped, Immediate.f64(1 / Math.log(2))));
        Reg<F64> whole = b.f64();
        b.cvt(Rounding.RN, ScalarType.F64, ScalarType.S64, whole, power);
        Reg<F64> rest = b.fma(whole, Immediate.f64(-LN2_HIGH), clamped);
        rest = b.fma(whole, Immediate.f64(-LN2_LOW), rest);
        Reg<F64> sum = number(1);
        Immediate<F64> one = Immediate.f64(1);
        for (int n = EXP_TERMS; n > 0; n--) {
            sum = b.fma(b.fmul(rest, Immediate.f64(1.0 / n)), sum, one);
        }
        Reg<F64> scale = b.f64();
        b.with(new Move.Copy(ScalarType.B64, scale, b.shl(b.add(power, 1023), 52)));
        return b.fmul(sum, scale);
    }

    /** By the series of which no term is negative: 2/sqrt(pi) exp(-x^2) (x + 2 x^3/3 + 4 x^5/15 + ...). */
    @Override
    public Reg<F64> erf(Reg<F64> x) {
        Reg<F64> result = b.f64();
        b.mov(result, b.select(b.setp(Relation.LT, ScalarType.F64, x, Immediate.f64(0)), Immediate.f64(-1), number(1)));
        // A NaN is not flat: it comes out of the series.
        b.ifThen(b.setp(Relation.LTU, ScalarType.F64, b.fabs(x), Immediate.f64(FLAT)), near -> {
            Reg<F64> squared = near.fmul(x, x);
            Reg<F64> twice = near.fadd(squared, squared);
            Reg<F64> term = near.mov(x);
            Reg<F64> sum = near.mov(x);
            Reg<F64> odd = near.mov(Immediate.f64(1));
            near.doWhile("series", l -> {
                l.fadd(odd, odd, Immediate.f64(2));
                l.fmul(term, term, l.fdiv(twice, odd));
                l.fadd(sum, sum, term);
                return l.setp(Relation.GT, ScalarType.F64, l.fabs(term), l.fmul(l.fabs(sum), Immediate.f64(0x1p-54)));
            });
            Reg<F64> scale =
                    near.fmul(new F64Arithmetic(near).exp(near.fneg(squared)), Immediate.f64(2 / Math.sqrt(Math.PI)));
            near.fmul(result, scale, sum);
        });
        return result;
    }
}
