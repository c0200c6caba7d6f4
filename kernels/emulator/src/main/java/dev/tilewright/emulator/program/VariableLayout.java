package dev.tilewright.emulator.program;

import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.number.Bytes;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.Variable;
import dev.tilewright.ptx.Variable.Relocation;
import dev.tilewright.ptx.type.StateSpace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The addresses of the variables of a module in global and constant memory; they are the same in every run. */
public final class VariableLayout {
    /** Bytes between variables, in which any access is out of bounds. */
    private static final int GUARD = 256;

    /**
     * A variable with its address.
     *
     * @param address in its own space
     */
    public record Symbol(Variable variable, long address) {
        /** Generic address. */
        long generic() {
            return variable.space() == StateSpace.CONST ? AddressSpace.CONSTANTS + address : address;
        }
    }

    private final Map<String, Symbol> variables = new LinkedHashMap<>();

    VariableLayout(PtxModule module) {
        long global = AddressSpace.VARIABLES;
        long constant = AddressSpace.CONSTANT_START;
        for (Variable variable : module.variables()) {
            boolean isConstant = variable.space() == StateSpace.CONST;
            long next = isConstant ? constant : global;
            long alignment = Math.max(16, variable.alignment());
            long address = Math.ceilDiv(next, alignment) * alignment;
            variables.put(variable.name(), new Symbol(variable, address));
            long end = address + variable.bytes() + GUARD;
            if (isConstant) {
                constant = end;
            } else {
                global = end;
            }
        }
    }

    /** The variables of a space, in the order of the module. */
    public List<Symbol> in(StateSpace space) {
        List<Symbol> all = new ArrayList<>(variables.values());
        all.removeIf(symbol -> symbol.variable().space() != space);
        return all;
    }

    public boolean has(String name) {
        return variables.containsKey(name);
    }

    /** The variable of that name. */
    public Symbol named(String name) {
        Symbol symbol = variables.get(name);
        if (symbol == null) {
            throw new NotEmulatedException("there is no variable named " + name + " in global or constant memory");
        }
        return symbol;
    }

    /** The bytes of a variable before the launch, addresses filled in. */
    public byte[] image(Variable variable) {
        byte[] image = new byte[variable.bytes()];
        byte[] initial = variable.initial();
        System.arraycopy(initial, 0, image, 0, initial.length);
        for (Relocation relocation : variable.relocations()) {
            Symbol symbol = named(relocation.symbol());
            long address = relocation.generic() ? symbol.generic() : symbol.address();
            Bytes.put(image, relocation.offset(), 8, address + relocation.addend());
        }
        return image;
    }
}
