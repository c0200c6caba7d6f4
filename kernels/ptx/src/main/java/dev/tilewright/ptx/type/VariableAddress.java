package dev.tilewright.ptx.type;

import dev.tilewright.ptx.type.RegisterType.B64;

/** Memory operands that our builders do not make. */
public sealed interface VariableAddress extends Address {

    /** {@code [symbol+offset]} of a variable in shared, global, constant or local memory, or of a parameter. */
    record Named(StateSpace space, String symbol, int offset) implements VariableAddress {}

    /** {@code [base+offset]} in the thread's local memory. */
    record Local(Reg<B64> base, int offset) implements VariableAddress {
        @Override
        public StateSpace space() {
            return StateSpace.LOCAL;
        }
    }

    /** {@code [base+offset]} among the parameters of the kernel. */
    record Parameter(Reg<B64> base, int offset) implements VariableAddress {
        @Override
        public StateSpace space() {
            return StateSpace.PARAM;
        }
    }

    /** {@code [base+offset]} in constant memory. */
    record Constant(Reg<B64> base, int offset) implements VariableAddress {
        @Override
        public StateSpace space() {
            return StateSpace.CONST;
        }
    }
}
