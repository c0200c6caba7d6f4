package dev.tilewright.emulator.mutation;

import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Rules for the steps of an epilogue: elements that it adds, and the order of its steps. */
final class EpilogueRules {
    private final Definitions definitions;
    private final Changes changes;
    private final int statements;

    EpilogueRules(Definitions definitions, Changes changes, int statements) {
        this.definitions = definitions;
        this.changes = changes;
        this.statements = statements;
    }

    /** The element of the neighbour column or row. */
    void load(int index, Memory.Load i) {
        switch (i.address()) {
            case GlobalAddress address -> neighbours(index, i, address::plus);
            case SharedAddress address when i.type() == ScalarType.F32 -> neighbours(index, i, address::plus);
            default -> {}
        }
    }

    private void neighbours(int index, Memory.Load i, IntFunction<Address> at) {
        for (int elements : List.of(1, -1)) {
            int bytes = elements * i.d().size() * i.type().bytes();
            changes.replace(
                    Rule.EPILOGUE,
                    index,
                    elements > 0 ? "the next element" : "the element before",
                    () -> new Memory.Load(i.ordering(), i.cache(), i.type(), i.d(), at.apply(bytes)));
        }
    }

    /** Products that are added to sums without their scale. */
    void scaled(int index, FloatMath.Fma i) {
        if (i.c().equals(i.d())) {
            changes.replace(
                    Rule.EPILOGUE,
                    index,
                    "without the scale",
                    () -> new FloatMath.Binary(
                            FloatMath.Operation.ADD, i.rounding(), i.options(), i.type(), i.d(), i.a(), i.c()));
        }
    }

    /** A summand that is left out, a function that is, and a function that is taken before the sum that it is of. */
    void step(int index, FloatMath.Binary i) {
        switch (i.operation()) {
            case ADD -> changes.replace(Rule.EPILOGUE, index, "without the summand", () -> copy(i));
            case MAX -> {
                changes.replace(Rule.EPILOGUE, index, "without the function", () -> copy(i));
                for (int other = index + 1; other < statements; other++) {
                    exchange(index, i, other);
                }
                for (int other = 0; other < index; other++) {
                    exchange(index, i, other);
                }
            }
            case SUB, MUL, DIV, MIN -> {}
        }
    }

    /** The sum that a function is of, and the function, in the other order. */
    private void exchange(int index, FloatMath.Binary function, int other) {
        if (definitions.instruction(other).orElse(null) instanceof FloatMath.Binary sum
                && sum.operation() == FloatMath.Operation.ADD
                && function.a().equals(sum.d())) {
            changes.edit(
                    Rule.EPILOGUE,
                    index,
                    "before the sum",
                    () -> Map.<Integer, List<Statement>>of(
                            other, List.of(with(function, sum.d(), sum.a(), function.b())),
                            index, List.of(with(sum, function.d(), sum.d(), sum.b()))));
        }
    }

    private static Instruction with(FloatMath.Binary i, Reg<?> d, Operand<?> a, Operand<?> b) {
        return new FloatMath.Binary(i.operation(), i.rounding(), i.options(), i.type(), d, a, b);
    }

    private static Instruction copy(FloatMath.Binary i) {
        return new Move.Copy(i.type(), i.d(), i.a());
    }
}
