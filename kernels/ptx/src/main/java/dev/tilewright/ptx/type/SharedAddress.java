package dev.tilewright.ptx.type;

import dev.tilewright.ptx.type.RegisterType.B32;

/** {@code [base+offset]} in the CTA's own shared memory; also valid wherever .shared::cluster is asked for. */
public record SharedAddress(Reg<B32> base, int offset) implements Address.InRegister {
    public static SharedAddress of(Reg<B32> base) {
        return new SharedAddress(base, 0);
    }

    public SharedAddress plus(int bytes) {
        return new SharedAddress(base, Math.addExact(offset, bytes));
    }

    @Override
    public StateSpace space() {
        return StateSpace.SHARED;
    }
}
