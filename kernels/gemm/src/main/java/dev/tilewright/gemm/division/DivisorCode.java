package dev.tilewright.gemm.division;

import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** A {@link Divisor} that a launch knows: three parameters of the kernel. */
public record DivisorCode(Param value, Param multiplier, Param shift) {

    /** Declares the parameters {@code name}, {@code nameMultiplier} and {@code nameShift}. */
    public static <F> DivisorCode declare(BoundParams<F> params, String name, ToIntFunction<F> value) {
        Function<F, Divisor> divisor = facts -> new Divisor(value.applyAsInt(facts));
        return new DivisorCode(
                params.u32(name, value),
                params.u32(name + "Multiplier", facts -> divisor.apply(facts).multiplier()),
                params.u32(name + "Shift", facts -> divisor.apply(facts).shift()));
    }

    /** In registers. */
    public Loaded load(CodeBuilder b) {
        return new Loaded(b.param32(value), b.param32(multiplier), b.param32(shift));
    }

    /** A divisor in registers. */
    public record Loaded(Reg<B32> value, Reg<B32> multiplier, Reg<B32> shift) {

        /** The other divisor where the predicate holds. */
        public Loaded orWhere(CodeBuilder b, Reg<Pred> holds, Loaded other) {
            return new Loaded(
                    b.select(holds, other.value, value),
                    b.select(holds, other.multiplier, multiplier),
                    b.select(holds, other.shift, shift));
        }

        /** Quotient and remainder of n below 2^31. */
        public Division divide(CodeBuilder b, Reg<B32> n) {
            Reg<B32> quotient = Divisor.quotient(b, n, multiplier, shift);
            return new Division(quotient, b.sub(n, b.mulLo(quotient, value)));
        }
    }

    /** Results of a division. */
    public record Division(Reg<B32> quotient, Reg<B32> remainder) {}
}
