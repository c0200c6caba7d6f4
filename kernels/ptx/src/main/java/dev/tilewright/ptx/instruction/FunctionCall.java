package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Optional;

/** Calls of functions through parameters in {@code .param} space, and jumps through tables. PTX 9.7.12, 7.1. */
public sealed interface FunctionCall extends Flow, Irregular {

    /** Declares the parameter variable of an argument or a result, {@code .param .b64 name[elements]}. */
    record Declare(ScalarType type, String name, int alignment, int elements) implements FunctionCall {
        public Declare {
            Check.that(elements >= 0, "call: elements must not be negative (0 is a scalar)", elements);
        }

        public int bytes() {
            return Math.max(1, elements) * type.bytes();
        }
    }

    /** {@code st.param [name+offset], values}: an argument, or in a function its result. */
    record StoreParam(ScalarType type, String name, int offset, List<Operand<?>> values) implements FunctionCall {
        public StoreParam {
            values = List.copyOf(values);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.symbol(name, StateSpace.PARAM);
            values.forEach(value -> visitor.readWide(value, type));
        }
    }

    /** {@code ld.param {d}, [name+offset]}: a result, or in a function an argument. */
    record LoadParam(ScalarType type, List<Reg<?>> d, String name, int offset) implements FunctionCall {
        public LoadParam {
            d = List.copyOf(d);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            d.forEach(register -> visitor.writeWide(register, type));
            visitor.symbol(name, StateSpace.PARAM);
        }
    }

    /** {@code call (result), function, (arguments)}: the names are of {@link Declare}d parameter variables. */
    record Call(boolean uniform, Optional<String> result, String function, List<String> arguments)
            implements FunctionCall {
        public Call {
            arguments = List.copyOf(arguments);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            result.ifPresent(name -> visitor.symbol(name, StateSpace.PARAM));
            arguments.forEach(name -> visitor.symbol(name, StateSpace.PARAM));
        }
    }

    /** Not an instruction but a table of labels for {@link BranchIndexed}. */
    record BranchTable(Label name, List<Label> targets) implements FunctionCall {
        public BranchTable {
            targets = List.copyOf(targets);
            Check.that(!targets.isEmpty(), "branchtargets: needs a label", "none");
        }

        @Override
        public void operands(OperandVisitor visitor) {
            targets.forEach(visitor::target);
        }
    }

    /** {@code brx.idx index, table}: goes to the target of that index; beyond the last is undefined. */
    record BranchIndexed(boolean uniform, Operand<?> index, Label table, List<Label> targets) implements FunctionCall {
        public BranchIndexed {
            targets = List.copyOf(targets);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.read(index, ScalarType.U32);
            targets.forEach(visitor::target);
        }
    }
}
