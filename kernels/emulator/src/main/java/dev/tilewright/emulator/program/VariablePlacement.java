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

/** Where the variables of a module lie in global and constant memory: at the same addresses in every run. */
public final class VariablePlacement {
    /** Bytes between variables, in which any access is out of bounds. */
    private static final int GUARD = 256;

    /**
     * A variable in its place.
     *
     * @param address in its own space
     */
    public record Placed(Variable variable, long address) {
        /** Generic address. */
        long generic() {
            return variable.space() == StateSpace.CONST ? AddressSpace.CONSTANTS + address : address;
        }
    }

    private final Map<String, Placed> variables = new LinkedHashMap<>();

    VariablePlacement(PtxModule module) {
        long global = AddressSpace.VARIABLES;
        long constant = AddressSpace.CONSTANT_START;
        for (Variable variable : module.variables()) {
            boolean isConstant = variable.space() == StateSpace.CONST;
            long next = isConstant ? constant : global;
            long alignment = Math.max(16, variable.alignment());
            long address = Math.ceilDiv(next, alignment) * alignment;
            variables.put(variable.name(), new Placed(variable, address));
            long end = address + variable.bytes() + GUARD;
            if (isConstant) {
                constant = end;
            } else {
                global = end;
            }
        }
    }

    /** The variables of a space, in the order of the module. */
    public List<Placed> in(StateSpace space) {
        List<Placed> all = new ArrayList<>(variables.values());
        all.removeIf(placed -> placed.variable().space() != space);
        return all;
    }

    public boolean has(String name) {
        return variables.containsKey(name);
    }

    /** The variable of that name. */
    public Placed named(String name) {
        Placed placed = variables.get(name);
        if (placed == null) {
            throw new NotEmulatedException("there is no variable named " + name + " in global or constant memory");
        }
        return placed;
    }

    /** The bytes of a variable before the launch, addresses filled in. */
    public byte[] image(Variable variable) {
        byte[] image = new byte[variable.bytes()];
        byte[] initial = variable.initial();
        System.arraycopy(initial, 0, image, 0, initial.length);
        for (Relocation relocation : variable.relocations()) {
            Placed symbol = named(relocation.symbol());
            long address = relocation.generic() ? symbol.generic() : symbol.address();
            Bytes.put(image, relocation.offset(), 8, address + relocation.addend());
        }
        return image;
    }
}
