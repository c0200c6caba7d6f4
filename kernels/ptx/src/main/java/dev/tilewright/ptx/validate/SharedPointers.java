package dev.tilewright.ptx.validate;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.ModuleBuilder;
import dev.tilewright.ptx.form.Operands;
import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.OperandVisitor;
import dev.tilewright.ptx.instruction.Statement;
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
import dev.tilewright.ptx.type.VariableAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the offsets in dynamic shared memory that a register points to, as far as the text tells. Constants are
 * followed exactly; an unknown addend is taken as an index that stays in the region. The result does not depend on the
 * order of statements: a register stands for all values that are ever written to it.
 */
final class SharedPointers {
    /** The known values of a register. */
    private sealed interface Value {
        /** Nothing; also the result of everything that is not followed. */
        record Unknown() implements Value {}

        record Constant(long value) implements Value {}

        /** Offsets from the start of the dynamic shared memory. */
        record Shared(Set<Long> offsets) implements Value {}
    }

    private static final Value UNKNOWN = new Value.Unknown();
    /** The most offsets of one register that are followed; a register with more is unknown. */
    private static final int MAX_OFFSETS = 32;

    private final Map<Reg<?>, Value> values = new HashMap<>();

    SharedPointers(Entry entry) {
        boolean changed = true;
        while (changed) {
            changed = false;
            for (Statement statement : entry.body()) {
                changed |=
                        Diagnostics.instruction(statement).map(this::transfer).orElse(false);
            }
        }
    }

    /** Offsets that the address may mean; empty if nothing is known. */
    Set<Long> offsets(Address address) {
        Value base = switch (address) {
            case SharedAddress a -> value(a.base());
            case ClusterAddress a -> value(a.base());
            case GlobalAddress _, GenericAddress _, ParamAddress _, RegisterAddress _, VariableAddress _ -> UNKNOWN;
        };
        return base instanceof Value.Shared shared
                ? shift(shared, address.offset()).offsets()
                : Set.of();
    }

    private boolean transfer(Instruction instruction) {
        return switch (instruction) {
            case Move.AddressOf i
            when i.symbol().equals(ModuleBuilder.DYNAMIC_SHARED) ->
                assign(i.d(), new Value.Shared(Set.of((long) i.offset())));
            case Move.Copy i when !i.type().isFloat() && i.type() != ScalarType.PRED -> copy(i.d(), i.a());
            case Mbarrier.MapToRank i -> copy(i.d(), i.address());
            case Barrier.Shuffle i -> copy(i.d(), i.a());
            case Compare.Select i -> copy(i.d(), i.a()) | copy(i.d(), i.b());
            case Arithmetic.Binary i -> binary(i);
            case Arithmetic.MultiplyAdd i
            when known(i.a()) && known(i.b()) && known(i.c()) ->
                assign(i.d(), plus(times(value(i.a()), value(i.b())), value(i.c())));
            // The results of other instructions are unknown: no rule fails for an unknown value.
            case Instruction i -> forget(i);
        };
    }

    private boolean binary(Arithmetic.Binary i) {
        if (!known(i.a()) || !known(i.b())) {
            return false;
        }
        Value a = value(i.a());
        Value b = value(i.b());
        return switch (i.operation()) {
            case ADD -> {
                // A register that walks by a constant has no single offset.
                boolean walks = i.d().equals(i.a()) && b instanceof Value.Constant;
                yield assign(i.d(), walks ? UNKNOWN : plus(a, b));
            }
            case SUB ->
                assign(i.d(), b instanceof Value.Constant c ? plus(a, new Value.Constant(-c.value())) : UNKNOWN);
            case MUL_LO -> assign(i.d(), times(a, b));
            case ADD_SATURATED, SUB_SATURATED, MUL_HI, DIV, REM, MIN, MAX, AND, OR, XOR, SHL, SHR ->
                assign(i.d(), UNKNOWN);
        };
    }

    /** Waits for operands that have no value yet, so that the order of statements does not matter. */
    private boolean known(Operand<?> operand) {
        return operand instanceof Immediate<?> || values.containsKey(operand);
    }

    private boolean copy(Reg<?> d, Operand<?> a) {
        return known(a) && assign(d, value(a));
    }

    private boolean forget(Instruction instruction) {
        boolean[] changed = {false};
        Operands.visit(instruction, new OperandVisitor() {
            @Override
            public void write(Reg<?> register, ScalarType type) {
                changed[0] |= assign(register, UNKNOWN);
            }
        });
        return changed[0];
    }

    private Value value(Operand<?> operand) {
        return switch (operand) {
            case Immediate<?> constant -> new Value.Constant(constant.bits());
            case Reg<?> register -> Objects.requireNonNullElse(values.get(register), UNKNOWN);
        };
    }

    private boolean assign(Reg<?> d, Value value) {
        Value before = values.get(d);
        Value after = before == null ? value : join(before, value);
        values.put(d, after);
        return !after.equals(before);
    }

    private static Value join(Value a, Value b) {
        if (a.equals(b)) {
            return a;
        }
        if (a instanceof Value.Shared(Set<Long> some) && b instanceof Value.Shared(Set<Long> more)) {
            Set<Long> all = new TreeSet<>(some);
            all.addAll(more);
            return all.size() > MAX_OFFSETS ? UNKNOWN : new Value.Shared(all);
        }
        return UNKNOWN;
    }

    private static Value plus(Value a, Value b) {
        return switch (a) {
            case Value.Constant x when b instanceof Value.Constant y -> new Value.Constant(x.value() + y.value());
            case Value.Constant x when b instanceof Value.Shared shared -> shift(shared, x.value());
            case Value.Shared shared when b instanceof Value.Constant y -> shift(shared, y.value());
            case Value.Shared _ when b instanceof Value.Shared -> UNKNOWN;
            case Value.Shared shared -> shared;
            case Value.Unknown _ when b instanceof Value.Shared shared -> shared;
            case Value.Unknown _, Value.Constant _ -> UNKNOWN;
        };
    }

    private static Value times(Value a, Value b) {
        return a instanceof Value.Constant(long x) && b instanceof Value.Constant(long y)
                ? new Value.Constant(x * y)
                : UNKNOWN;
    }

    private static Value.Shared shift(Value.Shared shared, long bytes) {
        Set<Long> moved = new TreeSet<>();
        shared.offsets().forEach(offset -> moved.add(offset + bytes));
        return new Value.Shared(moved);
    }
}
