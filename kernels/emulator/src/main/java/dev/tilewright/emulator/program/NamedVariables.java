package dev.tilewright.emulator.program;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.Function;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.form.Operands;
import dev.tilewright.ptx.instruction.FunctionCall;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.OperandVisitor;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.StateSpace;
import dev.tilewright.ptx.type.VariableAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The variables that an entry, or a function that it calls, names: a file of many kernels has shared variables of which
 * each takes memory in those alone that name it.
 */
final class NamedVariables implements OperandVisitor {
    private final PtxModule module;
    private final Set<String> names = new HashSet<>();
    private final Set<String> called = new HashSet<>();

    NamedVariables(PtxModule module, Entry entry) {
        this.module = module;
        body(entry.body());
    }

    boolean has(String name) {
        return names.contains(name);
    }

    /** True if the entry calls the function, itself or through other functions. */
    boolean calls(Function function) {
        return called.contains(function.name());
    }

    private void body(List<Statement> body) {
        for (Statement statement : body) {
            switch (statement) {
                case Statement.LabelTarget _, Statement.Comment _ -> {}
                case Statement.Guarded guarded -> instruction(guarded.instruction());
                case Instruction instruction -> instruction(instruction);
            }
        }
    }

    private void instruction(Instruction instruction) {
        Operands.visit(instruction, this);
        if (instruction instanceof FunctionCall.Call call && called.add(call.function())) {
            module.functions().stream()
                    .filter(function -> function.name().equals(call.function()))
                    .forEach(function -> body(function.body()));
        }
    }

    @Override
    public void address(Address address) {
        if (address instanceof VariableAddress named) {
            names.add(named.symbol());
        }
    }

    @Override
    public void symbol(String name, StateSpace space) {
        names.add(name);
    }
}
