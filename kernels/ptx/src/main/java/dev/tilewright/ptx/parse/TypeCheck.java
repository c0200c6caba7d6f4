package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.OperandVisitor;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.ParamAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.VariableAddress;

/** Refuses registers of a type that the instruction does not take. */
final class TypeCheck implements OperandVisitor {
    private final Position at;

    TypeCheck(Position at) {
        this.at = at;
    }

    @Override
    public void read(Operand<?> operand, ScalarType type) {
        require(operand, type, type.accepts(operand.type()));
    }

    @Override
    public void write(Reg<?> register, ScalarType type) {
        require(register, type, type.accepts(register.type()));
    }

    @Override
    public void readWide(Operand<?> operand, ScalarType type) {
        require(operand, type, type.acceptsWide(operand.type()));
    }

    @Override
    public void writeWide(Reg<?> register, ScalarType type) {
        require(register, type, type.acceptsWide(register.type()));
    }

    @Override
    public void address(Address address) {
        switch (address) {
            case SharedAddress a -> shared(a.base());
            case ClusterAddress a -> shared(a.base());
            case Address.InRegister a -> read(a.base(), ScalarType.B64);
            case ParamAddress _, VariableAddress _ -> {}
        }
    }

    /** A shared address may come in 64 bits, of which the low half counts. */
    private void shared(Reg<?> base) {
        require(base, ScalarType.B32, ScalarType.B32.accepts(base.type()) || ScalarType.B64.accepts(base.type()));
    }

    private void require(Operand<?> operand, ScalarType type, boolean accepted) {
        if (!accepted) {
            String what = operand instanceof Reg<?> register ? register.name() : "a constant";
            throw new Refusal(
                    at, what + " has type ." + operand.type().ptx() + ", the instruction takes ." + type.ptx());
        }
    }
}
