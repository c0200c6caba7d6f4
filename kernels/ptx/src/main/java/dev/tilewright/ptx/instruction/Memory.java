package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.CacheOperator;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.IsaVersion;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.Spelled;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Optional;

/** Loads, stores and atomics of single threads (the generic proxy). PTX 9.7.9.8 to 9.7.9.19, 9.7.13. */
public sealed interface Memory extends Instruction {
    /**
     * Wishes that change no value.
     *
     * @param priorities {@code L1::evict_last}, {@code L1::no_allocate}, {@code L2::128B} and the like, as written
     * @param policy from {@link CachePolicy}
     */
    record CacheHints(List<String> priorities, Optional<Operand<B64>> policy) {
        public static final CacheHints NONE = new CacheHints(List.of(), Optional.empty());

        public CacheHints {
            priorities = List.copyOf(priorities);
            priorities.forEach(hint -> Check.that(
                    hint.matches("L[12]::(evict_(normal|unchanged|first|last)|no_allocate|64B|128B|256B)"),
                    "cache hint: not known",
                    hint));
        }
    }

    /**
     * {@code {d} = [address]}: 1, 2, 4 or 8 values of {@code type}, at most 16 bytes, aligned to their total size; 32
     * bytes of global memory on sm_100 and later. The state space is the address's. Weak unless {@code ordering} says
     * volatile, relaxed or acquire. Cache operators go with weak loads only; NC promises that nobody writes the data
     * while the kernel runs. PTX 9.7.9.8, 9.7.9.9.
     */
    record Load(
            Ordering ordering, CacheOperator cache, CacheHints hints, ScalarType type, List<Reg<?>> d, Address address)
            implements Memory, Irregular {
        public Load {
            d = List.copyOf(d);
            requireVector("ld", type, d.size(), address.space());
            Check.that(
                    ordering.sem() != Sem.RELEASE && ordering.sem() != Sem.ACQ_REL && ordering.sem() != Sem.SC,
                    "ld: ordering must be weak, volatile, relaxed or acquire",
                    ordering.sem());
            requireCache("ld", ordering, cache, cache != CacheOperator.WB && cache != CacheOperator.WT);
            Check.that(
                    cache != CacheOperator.NC || address.space() == StateSpace.GLOBAL,
                    "ld.nc: address must be global",
                    address.space());
        }

        /** Without hints. */
        public Load(Ordering ordering, CacheOperator cache, ScalarType type, List<Reg<?>> d, Address address) {
            this(ordering, cache, CacheHints.NONE, type, d, address);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            d.forEach(register -> visitor.writeWide(register, type));
            visitor.address(address);
            hints.policy().ifPresent(p -> visitor.read(p, ScalarType.B64));
        }

        @Override
        public Requirement requires() {
            return access(type, d.size(), address);
        }
    }

    /**
     * {@code [address] = {values}}: 1, 2, 4 or 8 values of {@code type}, at most 16 bytes, aligned to their total size;
     * 32 bytes of global memory on sm_100 and later. Weak unless {@code ordering} says volatile, relaxed or release.
     * PTX 9.7.9.11.
     */
    record Store(
            Ordering ordering,
            CacheOperator cache,
            CacheHints hints,
            ScalarType type,
            Address address,
            List<Operand<?>> values)
            implements Memory, Irregular {
        public Store {
            values = List.copyOf(values);
            requireVector("st", type, values.size(), address.space());
            Check.that(
                    ordering.sem() != Sem.ACQUIRE && ordering.sem() != Sem.ACQ_REL && ordering.sem() != Sem.SC,
                    "st: ordering must be weak, volatile, relaxed or release",
                    ordering.sem());
            boolean storing = cache != CacheOperator.NC
                    && cache != CacheOperator.CA
                    && cache != CacheOperator.LU
                    && cache != CacheOperator.CV;
            requireCache("st", ordering, cache, storing);
            Check.that(address.space() != StateSpace.PARAM, "st: parameters of a kernel are read-only", address);
        }

        /** Without hints. */
        public Store(
                Ordering ordering, CacheOperator cache, ScalarType type, Address address, List<Operand<?>> values) {
            this(ordering, cache, CacheHints.NONE, type, address, values);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(address);
            values.forEach(value -> visitor.readWide(value, type));
            hints.policy().ifPresent(p -> visitor.read(p, ScalarType.B64));
        }

        @Override
        public Requirement requires() {
            return access(type, values.size(), address);
        }
    }

    /** The operation of an atomic on its memory cell. */
    enum AtomicOperation implements Spelled {
        ADD,
        MIN,
        MAX,
        /** {@code old >= b ? 0 : old + 1}, u32. */
        INC,
        /** {@code old == 0 || old > b ? b : old - 1}, u32. */
        DEC,
        AND,
        OR,
        XOR,
        EXCH,
        /** {@code old == b ? c : old}. */
        CAS;

        private boolean allows(ScalarType type) {
            boolean wordOrTwo = type.bits() == 32 || type.bits() == 64;
            return switch (this) {
                case ADD ->
                    type == ScalarType.U32
                            || type == ScalarType.S32
                            || type == ScalarType.U64
                            || type == ScalarType.F32
                            || type == ScalarType.F64
                            || isHalf(type);
                case MIN, MAX -> (type.isInteger() && wordOrTwo) || isHalf(type);
                case INC, DEC -> type == ScalarType.U32;
                case AND, OR, XOR -> type.isBits() && wordOrTwo;
                case EXCH -> type.isBits() && (wordOrTwo || type == ScalarType.B128);
                case CAS -> type.isBits() && type != ScalarType.B8;
            };
        }
    }

    /**
     * {@code d = old values; [address] = op(old, b[, c])} in one step, relaxed at gpu scope unless {@code ordering}
     * says more. Address generic, global, shared or shared::cluster, aligned to the type. c for cas alone, a policy for
     * all others. Sums, minima and maxima of f16, bf16 and their pairs keep subnormals ({@code noFlush}). Vectors of 2,
     * 4 or 8 floats in global memory: each element is atomic on its own. PTX 9.7.13.5.
     */
    record Atomic(
            Ordering ordering,
            AtomicOperation operation,
            boolean noFlush,
            ScalarType type,
            List<Reg<?>> d,
            Address address,
            List<Operand<?>> b,
            Optional<Operand<?>> c,
            Optional<Operand<B64>> policy)
            implements Memory {
        public Atomic {
            d = List.copyOf(d);
            b = List.copyOf(b);
            requireAtomic("atom", operation, noFlush, type, b.size(), ordering, address);
            Check.that(d.size() == b.size(), "atom: as many results as values", d.size());
            boolean compares = operation == AtomicOperation.CAS;
            Check.that(
                    c.isPresent() == compares,
                    "atom." + operation.ptx() + ": a third operand goes with cas alone",
                    c.isPresent() ? "one" : "none");
            Check.that(
                    policy.isEmpty() || !compares,
                    "atom: a policy goes with atomics other than cas",
                    "." + operation.ptx());
        }

        /** Of one value, without a policy. */
        public Atomic(
                Ordering ordering,
                AtomicOperation operation,
                ScalarType type,
                Reg<?> d,
                Address address,
                Operand<?> b,
                Optional<Operand<?>> c) {
            this(ordering, operation, false, type, List.of(d), address, List.of(b), c, Optional.empty());
        }

        @Override
        public Requirement requires() {
            return atomic(type, b.size());
        }
    }

    /**
     * {@code [address] = op(old, b)} in one step, without the old value; as {@link Atomic}, but no exch and no cas. PTX
     * 9.7.13.6.
     */
    record Reduce(
            Ordering ordering,
            AtomicOperation operation,
            boolean noFlush,
            ScalarType type,
            Address address,
            List<Operand<?>> b,
            Optional<Operand<B64>> policy)
            implements Memory {
        public Reduce {
            b = List.copyOf(b);
            Check.that(
                    operation != AtomicOperation.CAS && operation != AtomicOperation.EXCH,
                    "red: operation must not be cas or exch",
                    operation);
            requireAtomic("red", operation, noFlush, type, b.size(), ordering, address);
            Check.that(
                    ordering.sem() != Sem.ACQUIRE && ordering.sem() != Sem.ACQ_REL,
                    "red: ordering must be relaxed or release",
                    ordering.sem());
        }

        /** Of one value, without a policy. */
        public Reduce(Ordering ordering, AtomicOperation operation, ScalarType type, Address address, Operand<?> b) {
            this(ordering, operation, false, type, address, List.of(b), Optional.empty());
        }

        @Override
        public Requirement requires() {
            return atomic(type, b.size());
        }
    }

    /**
     * Asynchronous write of 1, 2 or 4 values (b32 or b64, or their integer and f32 kinds) to shared memory of the
     * cluster; its bytes are completed on the mbarrier in the same CTA as the destination. Weak. One thread. Needs PTX
     * ISA 8.1, sm_90. PTX 9.7.9.12.
     */
    record StoreAsync(ScalarType type, ClusterAddress address, List<Operand<?>> values, ClusterAddress barrier)
            implements Memory, MbarrierUse {
        public StoreAsync {
            values = List.copyOf(values);
            requireVector("st.async", type, values.size(), StateSpace.SHARED_CLUSTER);
            Check.that(
                    type.bits() == 32 || type.bits() == 64, "st.async: type must have 32 or 64 bits", "." + type.ptx());
        }

        /** Bytes the barrier is told of. */
        public int bytes() {
            return values.size() * type.bytes();
        }

        @Override
        public Requirement requires() {
            return Requirement.isa(8, 1);
        }
    }

    /**
     * {@code red.async}: {@code [address] = op(old, b)} in shared memory of the cluster, later; its bytes are completed
     * on the barrier in the same CTA. Relaxed at cluster scope. One thread.
     */
    record ReduceAsync(
            AtomicOperation operation, ScalarType type, ClusterAddress address, Operand<?> b, ClusterAddress barrier)
            implements Memory, MbarrierUse {
        private static final List<ScalarType> WORDS = List.of(ScalarType.U32, ScalarType.S32);

        public ReduceAsync {
            boolean legal = switch (operation) {
                case ADD -> WORDS.contains(type) || type == ScalarType.U64;
                case MIN, MAX -> WORDS.contains(type);
                case INC, DEC -> type == ScalarType.U32;
                case AND, OR, XOR -> type == ScalarType.B32;
                case EXCH, CAS -> false;
            };
            Check.that(legal, "red.async." + operation.ptx() + ": type not allowed", "." + type.ptx());
        }

        @Override
        public Requirement requires() {
            return Requirement.isa(8, 1);
        }
    }

    /** The cache that {@link Prefetch} fills, with the priority of the line there. */
    enum CacheLevel implements Spelled {
        L1("L1"),
        L2("L2"),
        L2_EVICT_LAST("L2::evict_last"),
        L2_EVICT_NORMAL("L2::evict_normal");

        private final String ptx;

        CacheLevel(String ptx) {
            this.ptx = ptx;
        }

        @Override
        public String ptx() {
            return ptx;
        }
    }

    /** Brings a line into a cache. Changes no value. */
    record Prefetch(CacheLevel level, Address address) implements Memory {}

    /** Brings a tensor map (128 bytes, generic address) into the descriptor cache. One thread. PTX 9.7.9.15, sm_90. */
    record PrefetchTensorMap(GenericAddress map) implements Memory {
        @Override
        public Requirement requires() {
            return Requirement.HOPPER;
        }
    }

    private static Requirement access(ScalarType type, int count, Address address) {
        if (count * type.bytes() > 16) {
            return new Requirement(new IsaVersion(8, 8), 100, Requirement.Kind.FROM_HERE);
        }
        if (type == ScalarType.B128) {
            return Requirement.isa(8, 3);
        }
        return address.space() == StateSpace.SHARED_CLUSTER ? Requirement.HOPPER : Requirement.BASE;
    }

    private static Requirement atomic(ScalarType type, int count) {
        if (type == ScalarType.B128) {
            return Requirement.isa(8, 3);
        }
        return count > 1
                ? Requirement.isa(8, 1)
                : isHalf(type) || type == ScalarType.B16 ? Requirement.HOPPER : Requirement.BASE;
    }

    private static boolean isHalf(ScalarType type) {
        return type == ScalarType.F16
                || type == ScalarType.BF16
                || type == ScalarType.F16X2
                || type == ScalarType.BF16X2;
    }

    private static void requireVector(String mnemonic, ScalarType type, int count, StateSpace space) {
        Check.that(
                type != ScalarType.PRED
                        && type != ScalarType.F16X2
                        && type != ScalarType.BF16X2
                        && type != ScalarType.F32X2,
                mnemonic + ": type not allowed",
                "." + type.ptx());
        Check.that(
                count == 1 || count == 2 || count == 4 || count == 8,
                mnemonic + ": a vector has 1, 2, 4 or 8 elements",
                count);
        boolean wide = space == StateSpace.GLOBAL && type.bits() >= 32 && type.bits() <= 64;
        Check.that(
                count * type.bytes() <= (wide ? 32 : 16) && (count < 8 || wide),
                mnemonic + (wide ? ": at most 32 bytes in one access" : ": at most 16 bytes in one access"),
                count * type.bytes() + " (" + count + " x ." + type.ptx() + ")");
    }

    private static void requireCache(String mnemonic, Ordering ordering, CacheOperator cache, boolean allowed) {
        Check.that(allowed, mnemonic + ": cache operator not allowed", cache);
        Check.that(
                cache == CacheOperator.NONE || ordering.sem() == Sem.WEAK,
                mnemonic + ": a cache operator goes with weak accesses alone",
                cache + " with " + ordering.sem());
    }

    private static void requireAtomic(
            String mnemonic,
            AtomicOperation operation,
            boolean noFlush,
            ScalarType type,
            int count,
            Ordering ordering,
            Address address) {
        Check.that(operation.allows(type), mnemonic + "." + operation.ptx() + ": type not allowed", "." + type.ptx());
        Check.that(
                !noFlush || isHalf(type), mnemonic + ": .noftz goes with f16, bf16 and their pairs", "." + type.ptx());
        Check.that(
                count == 1 || count == 2 || count == 4 || count == 8,
                mnemonic + ": a vector has 2, 4 or 8 elements",
                count);
        Check.that(
                count == 1 || type == ScalarType.F32 || isHalf(type),
                mnemonic + ": a vector is of f32, f16, bf16 or their pairs",
                "." + type.ptx());
        Check.that(
                ordering.sem() != Sem.VOLATILE && ordering.sem() != Sem.SC,
                mnemonic + ": ordering must be relaxed, acquire, release or acq_rel",
                ordering.sem());
        Check.that(address.space() != StateSpace.PARAM, mnemonic + ": address must not be a parameter", address);
    }
}
