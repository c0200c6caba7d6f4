package dev.tilewright.emulator.program;

import dev.tilewright.ptx.form.Operands;
import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.OperandVisitor;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.ParamAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterAddress;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import dev.tilewright.ptx.type.VariableAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the constant part of addresses in shared memory, from the text alone. The address of a slot of a ring is the
 * ring's constant beginning and a stage times 8; of the stage the text says nothing. It serves evidence, so it may know
 * too little, and no verdict rests on it.
 */
final class ConstantParts {
    /**
     * The constant part of a value.
     *
     * @param whole whether it is all of the value
     */
    record Part(long value, boolean whole) {
        private static final Part NONE = new Part(0, false);

        private Part plus(Part other) {
            return new Part(value + other.value, whole && other.whole);
        }
    }

    private final SharedVariableLayout shared;
    private final Map<String, Set<Instruction>> writers = new HashMap<>();

    ConstantParts(Instr[] code, SharedVariableLayout shared) {
        this.shared = shared;
        for (Instr instr : code) {
            Operands.visit(instr.source, new OperandVisitor() {
                @Override
                public void write(Reg<?> register, ScalarType type) {
                    writers.computeIfAbsent(key(instr.function, register), unused -> new HashSet<>())
                            .add(instr.source);
                }
            });
        }
    }

    private static String key(String function, Reg<?> register) {
        return function + " " + register.name();
    }

    /** The constant part of an address in shared memory, 0 if there is none. */
    Part of(String function, Address address) {
        Part base = switch (address) {
            case SharedAddress a -> value(function, a.base(), new ArrayList<>());
            case ClusterAddress a -> value(function, a.base(), new ArrayList<>());
            case GenericAddress a -> value(function, a.base(), new ArrayList<>());
            case VariableAddress a -> symbol(function, a.symbol());
            case GlobalAddress _, ParamAddress _, RegisterAddress _ -> Part.NONE;
        };
        return base.plus(new Part(address.offset(), true));
    }

    private Part symbol(String function, String name) {
        SharedVariableLayout seen = function.isEmpty() ? shared : shared.within(function);
        return seen.has(name) ? new Part(seen.offset(name), true) : Part.NONE;
    }

    private Part value(String function, Operand<?> operand, List<String> path) {
        return switch (operand) {
            case Immediate<?> constant -> new Part(constant.bits(), true);
            case Reg<?> register -> register(function, register, path);
        };
    }

    /** Of a register with several writers the largest part counts: that of a loop is what it begins with. */
    private Part register(String function, Reg<?> register, List<String> path) {
        String key = key(function, register);
        Set<Instruction> all = writers.getOrDefault(key, Set.of());
        if (path.contains(key)) {
            return Part.NONE;
        }
        path.add(key);
        Part largest = Part.NONE;
        for (Instruction writer : all) {
            Part part = written(function, writer, path);
            largest = part.value >= largest.value ? part : largest;
        }
        path.removeLast();
        return all.size() == 1 ? largest : new Part(largest.value, false);
    }

    private Part written(String function, Instruction writer, List<String> path) {
        return switch (writer) {
            case Move.AddressOf i ->
                i.space() == StateSpace.SHARED
                        ? symbol(function, i.symbol()).plus(new Part(i.offset(), true))
                        : Part.NONE;
            case Move.Copy i -> value(function, i.a(), path);
            case Convert.Cvt i -> value(function, i.a(), path);
            case Convert.ToGeneric i -> value(function, i.a(), path);
            case Convert.FromGeneric i -> value(function, i.a(), path);
            case Mbarrier.MapToRank i -> value(function, i.address(), path);
            case Arithmetic.Binary i ->
                binary(i.operation(), value(function, i.a(), path), value(function, i.b(), path));
            case Arithmetic.MultiplyAdd i ->
                product(value(function, i.a(), path), value(function, i.b(), path))
                        .plus(value(function, i.c(), path));
            case Instruction _ -> Part.NONE;
        };
    }

    private static Part binary(Arithmetic.IntegerOperation operation, Part a, Part b) {
        return switch (operation) {
            // An or fills bits that were kept free.
            case ADD, OR -> a.plus(b);
            case SUB -> a.plus(new Part(-b.value, b.whole));
            case MUL_LO -> product(a, b);
            case SHL -> a.whole && b.whole ? new Part(a.value << b.value, true) : Part.NONE;
            // A mask clears the rank, or rounds.
            case AND -> new Part(a.value, false);
            case ADD_SATURATED, SUB_SATURATED, MUL_HI, DIV, REM, MIN, MAX, XOR, SHR -> Part.NONE;
        };
    }

    private static Part product(Part a, Part b) {
        return a.whole && b.whole ? new Part(a.value * b.value, true) : Part.NONE;
    }
}
