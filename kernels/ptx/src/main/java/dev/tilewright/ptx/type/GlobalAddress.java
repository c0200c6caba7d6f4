package dev.tilewright.ptx.type;

import dev.tilewright.ptx.type.RegisterType.B64;

/** {@code [base+offset]} in global memory; the base was converted by {@code cvta.to.global}. */
public record GlobalAddress(Reg<B64> base, int offset) implements Address.InRegister {
    public static GlobalAddress of(Reg<B64> base) {
        return new GlobalAddress(base, 0);
    }

    public GlobalAddress plus(int bytes) {
        return new GlobalAddress(base, Math.addExact(offset, bytes));
    }

    @Override
    public StateSpace space() {
        return StateSpace.GLOBAL;
    }
}
