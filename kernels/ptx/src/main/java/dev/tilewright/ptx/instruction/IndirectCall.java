package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.instruction.FunctionCall.Declare;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Optional;

/** Calls of functions whose address is in a register. PTX 9.7.12.5, 11.3. */
public sealed interface IndirectCall extends Flow, Irregular {

    /** {@code mov d, function}: its address, 64 bits. */
    record FunctionAddress(Reg<?> d, String function) implements IndirectCall {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.U64);
        }
    }

    /** Not an instruction but the heads that functions called by {@link Call} have. */
    record Prototype(Label name, List<Declare> results, List<Declare> params, boolean noReturn)
            implements IndirectCall {
        public Prototype {
            results = List.copyOf(results);
            params = List.copyOf(params);
            Check.that(results.size() <= 1, "callprototype: at most one result", results.size());
        }
    }

    /** Not an instruction but all functions that {@link Call} may call. */
    record Targets(Label name, List<String> functions) implements IndirectCall {
        public Targets {
            functions = List.copyOf(functions);
            Check.that(!functions.isEmpty(), "calltargets: needs a function", "none");
        }
    }

    /**
     * {@code call (result), function, (arguments), callees}: the parameter variables are {@link Declare}d;
     * {@code callees} names a {@link Prototype} or {@link Targets}.
     */
    record Call(boolean uniform, Optional<String> result, Operand<?> function, List<String> arguments, Label callees)
            implements IndirectCall {
        public Call {
            arguments = List.copyOf(arguments);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            result.ifPresent(name -> visitor.symbol(name, StateSpace.PARAM));
            visitor.read(function, ScalarType.U64);
            arguments.forEach(name -> visitor.symbol(name, StateSpace.PARAM));
        }
    }
}
