package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.RegisterDecl;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Registers that the text has not. PTX takes the name of a variable as an address almost everywhere, many records a
 * register alone: then its address is put into one just before the instruction, which the assembler sees through.
 */
final class Temporaries {
    private final Names names;
    private final List<RegisterDecl> registers = new ArrayList<>();
    private final List<RegisterDecl> ofVariables = new ArrayList<>();
    private final Map<String, Reg<?>> made = new HashMap<>();
    private final List<Instruction> before = new ArrayList<>();

    Temporaries(Names names) {
        this.names = names;
    }

    /** All that were made; those that stand for variables, which no text declares, come last. */
    List<RegisterDecl> registers() {
        List<RegisterDecl> all = new ArrayList<>(registers);
        all.addAll(ofVariables);
        return all;
    }

    /** Takes the instructions that must precede the one being read, and forgets them. */
    List<Instruction> take() {
        List<Instruction> taken = List.copyOf(before);
        before.clear();
        return taken;
    }

    /** The address of a variable in its own space: 32 bits in shared memory, 64 elsewhere. */
    <T extends RegisterType> Reg<T> address(Symbol symbol) {
        ScalarType type = symbol.space() == StateSpace.SHARED ? ScalarType.U32 : ScalarType.U64;
        Reg<T> d = register("%at_" + symbol.name(), type.untyped(), Optional.of(symbol.name()));
        before.add(new Move.AddressOf(type, d, symbol.name(), symbol.space(), 0));
        return d;
    }

    /** The generic address of a variable. */
    <T extends RegisterType> Reg<T> genericAddress(Symbol symbol) {
        Reg<T> d = register("%generic_" + symbol.name(), ScalarType.B64, Optional.of(symbol.name()));
        before.add(new Convert.GenericAddressOf(d, symbol.name(), symbol.space(), 0));
        return d;
    }

    /** The 32 bits of a generic address that lies in the CTA's own shared memory. */
    <T extends RegisterType> Reg<T> sharedAddress(Operand<?> generic) {
        Reg<RegisterType.B64> wide = register("%window", ScalarType.B64, Optional.empty());
        Reg<T> d = register("%shared", ScalarType.B32, Optional.empty());
        before.add(new Convert.FromGeneric(StateSpace.SHARED, wide, generic));
        before.add(new Convert.Cvt(Rounding.NONE, Convert.Options.NONE, ScalarType.U32, ScalarType.U64, d, wide));
        return d;
    }

    private <T extends RegisterType> Reg<T> register(String name, ScalarType type, Optional<String> variable) {
        return Line.cast(made.computeIfAbsent(name, wanted -> {
            RegisterDecl decl = names.hidden(wanted, type, variable);
            (variable.isPresent() ? ofVariables : registers).add(decl);
            return new Reg<>(decl.type(), decl.name());
        }));
    }
}
