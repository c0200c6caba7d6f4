package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Optional;

/** Loads, stores, prefetches with hints for the caches, and atomics beyond {@link Memory}. PTX 9.7.9, 9.7.13. */
public sealed interface MemoryAccess extends Ordinary {
    /**
     * Wishes that change no value.
     *
     * @param priorities {@code L1::evict_last}, {@code L1::no_allocate}, {@code L2::128B} and the like, as written
     * @param policy from createpolicy
     */
    record CacheHints(List<String> priorities, Optional<Operand<B64>> policy) {
        public CacheHints {
            priorities = List.copyOf(priorities);
            priorities.forEach(hint -> Check.that(
                    hint.matches("L[12]::(evict_(normal|unchanged|first|last)|no_allocate|64B|128B|256B)"),
                    "cache hint: not known",
                    hint));
        }
    }

    /** {@code access} with hints. */
    record HintedLoad(Memory.Load access, CacheHints hints) implements MemoryAccess {
        @Override
        public void operands(OperandVisitor visitor) {
            access.operands(visitor);
            hints.policy().ifPresent(p -> visitor.read(p, ScalarType.B64));
        }
    }

    /** {@code access} with hints. */
    record HintedStore(Memory.Store access, CacheHints hints) implements MemoryAccess {
        @Override
        public void operands(OperandVisitor visitor) {
            access.operands(visitor);
            hints.policy().ifPresent(p -> visitor.read(p, ScalarType.B64));
        }
    }

    /** Brings a line into a cache; {@code level} is L1, L2, L2::evict_last or L2::evict_normal. Changes no value. */
    record Prefetch(String level, Address address) implements MemoryAccess {
        public Prefetch {
            Check.that(level.matches("L1|L2|L2::evict_(last|normal)"), "prefetch: level not known", level);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(address, address.space());
        }
    }

    /**
     * {@code [d = old values;] [address] = op(old, b[, c])} for what {@link Memory.Atomic} and {@link Memory.Reduce} do
     * not take: f16, bf16 and their pairs ({@code noFlush}: subnormals stay), vectors of 2, 4 or 8 floats in global
     * memory (each element is atomic on its own), 16-bit cas. No d for red.
     */
    record Atomic(
            Ordering ordering,
            AtomicOperation operation,
            boolean noFlush,
            ScalarType type,
            List<Reg<?>> d,
            Address address,
            List<Operand<?>> b,
            Optional<Operand<?>> c)
            implements MemoryAccess, AtomicAccess {
        public Atomic {
            d = List.copyOf(d);
            b = List.copyOf(b);
            boolean sums = operation == AtomicOperation.ADD
                    || operation == AtomicOperation.MIN
                    || operation == AtomicOperation.MAX;
            boolean cas16 = operation == AtomicOperation.CAS && type == ScalarType.B16 && b.size() == 1;
            Check.that(
                    cas16 || (sums && type.isFloat()),
                    "atom." + operation.ptx() + ": type not allowed",
                    "." + type.ptx());
            Check.that(
                    b.size() == 1 || b.size() == 2 || b.size() == 4 || b.size() == 8,
                    "atom: a vector has 2, 4 or 8 elements",
                    b.size());
            Check.that(d.isEmpty() || d.size() == b.size(), "atom: as many results as values", d.size());
            Check.that(c.isPresent() == cas16, "atom: a third operand goes with cas alone", c);
            Check.that(address.space() != StateSpace.PARAM, "atom: address must not be a parameter", address);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            ScalarType register = type == ScalarType.F32 || type == ScalarType.F64 ? type : type.untyped();
            d.forEach(r -> visitor.write(r, register));
            visitor.address(address, address.space());
            b.forEach(value -> visitor.read(value, register));
            c.ifPresent(value -> visitor.read(value, register));
        }

        @Override
        public Requirement requires() {
            return b.size() > 1 ? Requirement.isa(8, 1) : Requirement.HOPPER;
        }
    }
}
