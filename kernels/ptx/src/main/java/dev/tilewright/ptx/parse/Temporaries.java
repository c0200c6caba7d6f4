package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.RegisterDecl;
import dev.tilewright.ptx.instruction.Conversion;
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

/**
 * Registers that the text has not. PTX takes the name of a variable as an address almost everywhere, many records a
 * register alone: then its address is put into one just before the instruction, which the assembler sees through.
 */
final class Temporaries {
    private final Names names;
    private final List<RegisterDecl> registers;
    private final Map<String, Reg<?>> made = new HashMap<>();
    private final List<Instruction> before = new ArrayList<>();

    /** Adds what it declares to {@code registers}. */
    Temporaries(Names names, List<RegisterDecl> registers) {
        this.names = names;
        this.registers = registers;
    }

    /** What must come before the instruction that is being read; forgets it. */
    List<Instruction> take() {
        List<Instruction> taken = List.copyOf(before);
        before.clear();
        return taken;
    }

    /** The address of a variable in its own space: 32 bits in shared memory, 64 elsewhere. */
    <T extends RegisterType> Reg<T> address(Symbol symbol) {
        ScalarType type = symbol.space() == StateSpace.SHARED ? ScalarType.U32 : ScalarType.U64;
        Reg<T> d = register("%at_" + symbol.name(), type.untyped());
        before.add(new Move.AddressOf(type, d, symbol.name(), symbol.space()));
        return d;
    }

    /** The generic address of a variable or parameter. */
    <T extends RegisterType> Reg<T> genericAddress(Symbol symbol) {
        Reg<T> d = register("%generic_" + symbol.name(), ScalarType.B64);
        if (symbol.space() == StateSpace.PARAM) {
            before.add(new Move.AddressOf(ScalarType.U64, d, symbol.name(), symbol.space()));
            before.add(new Convert.ToGeneric(symbol.space(), Line.cast(d), d));
        } else {
            before.add(new Conversion.GenericAddressOf(d, symbol.name(), symbol.space(), 0));
        }
        return d;
    }

    /** The 32 bits of a generic address that lies in the CTA's own shared memory. */
    <T extends RegisterType> Reg<T> sharedAddress(Operand<?> generic) {
        Reg<RegisterType.B64> wide = register("%window", ScalarType.B64);
        Reg<T> d = register("%shared", ScalarType.B32);
        before.add(new Convert.FromGeneric(StateSpace.SHARED, wide, generic));
        before.add(new Convert.Cvt(Rounding.NONE, ScalarType.U32, ScalarType.U64, d, wide));
        return d;
    }

    private <T extends RegisterType> Reg<T> register(String name, ScalarType type) {
        return Line.cast(made.computeIfAbsent(name, wanted -> {
            RegisterDecl decl = names.hidden(wanted, type);
            registers.add(decl);
            return new Reg<>(decl.type(), decl.name());
        }));
    }
}
