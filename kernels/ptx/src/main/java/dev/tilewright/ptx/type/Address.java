package dev.tilewright.ptx.type;

/** A memory operand {@code [base+offset]}; the Java type says the state space, so that a wrong one does not compile. */
public sealed interface Address permits Address.InRegister, ParamAddress, VariableAddress {
    StateSpace space();

    /** Bytes added to the base. */
    int offset();

    /** An address whose base is a register. */
    sealed interface InRegister extends Address
            permits SharedAddress, ClusterAddress, GlobalAddress, GenericAddress, RegisterAddress {
        Reg<?> base();
    }
}
