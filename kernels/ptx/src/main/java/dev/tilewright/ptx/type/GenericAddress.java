package dev.tilewright.ptx.type;

import dev.tilewright.ptx.type.RegisterType.B64;

/** {@code [base+offset]} in the generic address space, as tensor maps are addressed. */
public record GenericAddress(Reg<B64> base, int offset) implements Address.InRegister {
    public static GenericAddress of(Reg<B64> base) {
        return new GenericAddress(base, 0);
    }

    @Override
    public StateSpace space() {
        return StateSpace.GENERIC;
    }
}
