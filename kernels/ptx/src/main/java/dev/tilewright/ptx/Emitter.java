package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.RegisterType.B128;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.F64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import java.util.function.Consumer;

/** The two things all short forms are made of: appending an instruction, and a new numbered register. */
public interface Emitter {
    /** Appends an instruction; every short form ends here. */
    void with(Instruction instruction);

    /** A new numbered register. */
    <T extends RegisterType> Reg<T> fresh(ScalarType type);

    /** The register, once it is written. */
    default <T extends RegisterType> Reg<T> into(Reg<T> d, Consumer<Reg<T>> write) {
        write.accept(d);
        return d;
    }

    default Reg<Pred> pred() {
        return fresh(ScalarType.PRED);
    }

    default Reg<B16> b16() {
        return fresh(ScalarType.B16);
    }

    default Reg<B32> b32() {
        return fresh(ScalarType.B32);
    }

    default Reg<B64> b64() {
        return fresh(ScalarType.B64);
    }

    default Reg<B128> b128() {
        return fresh(ScalarType.B128);
    }

    default Reg<F32> f32() {
        return fresh(ScalarType.F32);
    }

    default Reg<F64> f64() {
        return fresh(ScalarType.F64);
    }
}
