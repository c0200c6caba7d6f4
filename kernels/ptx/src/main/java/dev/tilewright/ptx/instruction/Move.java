package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Optional;

/** {@code mov} in its meanings. Executed by each thread. PTX 9.7.9.3, 9.7.9.4. */
public sealed interface Move extends Computation, Irregular {

    /** {@code d = a}, also for predicates. */
    record Copy(ScalarType type, Reg<?> d, Operand<?> a) implements Move {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, type);
            visitor.read(a, type);
        }

        @Override
        public Requirement requires() {
            return type == ScalarType.B128 ? Requirement.isa(8, 3) : Requirement.BASE;
        }
    }

    /** {@code d = %special}. */
    record ReadSpecial(Reg<?> d, SpecialRegister special) implements Move {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, special.type());
        }
    }

    /** {@code d = symbol+offset}: an address within a variable, in its own space. 32 or 64 bits. */
    record AddressOf(ScalarType type, Reg<?> d, String symbol, StateSpace space, int offset) implements Move {
        public AddressOf {
            Check.that(type == ScalarType.U32 || type == ScalarType.U64, "mov: an address is u32 or u64", type);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, type);
            visitor.symbol(symbol, space);
        }
    }

    /** {@code d = {parts}}, the first part lowest: 2 or 4 parts that fill the type b32, b64 or b128. */
    record Pack(ScalarType type, Reg<?> d, List<Operand<?>> parts) implements Move {
        public Pack {
            parts = List.copyOf(parts);
            requireParts(type, parts.size());
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, type);
            parts.forEach(part -> visitor.read(part, partType(type, parts.size())));
        }

        @Override
        public Requirement requires() {
            return type == ScalarType.B128 ? Requirement.isa(8, 3) : Requirement.BASE;
        }
    }

    /** {@code {parts} = a}, the first part lowest; an empty part is the sink {@code _}. */
    record Unpack(ScalarType type, List<Optional<Reg<?>>> parts, Operand<?> a) implements Move {
        public Unpack {
            parts = List.copyOf(parts);
            requireParts(type, parts.size());
        }

        @Override
        public void operands(OperandVisitor visitor) {
            parts.forEach(part -> part.ifPresent(r -> visitor.write(r, partType(type, parts.size()))));
            visitor.read(a, type);
        }

        @Override
        public Requirement requires() {
            return type == ScalarType.B128 ? Requirement.isa(8, 3) : Requirement.BASE;
        }
    }

    /** {@code mov.pred d, value}. */
    record ConstantPredicate(Reg<Pred> d, boolean value) implements Move {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.PRED);
        }
    }

    private static void requireParts(ScalarType type, int parts) {
        Check.that(
                type.isBits() && type.bits() >= 32 && (parts == 2 || parts == 4) && type.bits() / parts >= 8,
                "mov: a vector has 2 or 4 parts of b32, b64 or b128",
                parts + " parts of ." + type.ptx());
    }

    private static ScalarType partType(ScalarType type, int parts) {
        return switch (type.bits() / parts) {
            case 8 -> ScalarType.B8;
            case 16 -> ScalarType.B16;
            case 32 -> ScalarType.B32;
            default -> ScalarType.B64;
        };
    }
}
