package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.Memory.Atomic;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.instruction.Memory.Load;
import dev.tilewright.ptx.instruction.Memory.PrefetchTensorMap;
import dev.tilewright.ptx.instruction.Memory.Reduce;
import dev.tilewright.ptx.instruction.Memory.Store;
import dev.tilewright.ptx.instruction.Memory.StoreAsync;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.CacheOperator;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.ParamAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.ScalarType;
import java.util.List;
import java.util.Optional;

/** Parameters, loads, stores, atomics. */
public interface MemoryCode extends MoveCode {
    /** The value of a 32-bit parameter. */
    default Reg<B32> param32(Param param) {
        return into(b32(), d -> ld(param.kind().type(), d, ParamAddress.of(param.name())));
    }

    /** The value of an f32 parameter. */
    default Reg<F32> paramF32(Param param) {
        return into(f32(), d -> ld(ScalarType.F32, d, ParamAddress.of(param.name())));
    }

    /** The value of a 64-bit parameter. */
    default Reg<B64> param64(Param param) {
        return into(b64(), d -> ld(param.kind().type(), d, ParamAddress.of(param.name())));
    }

    /** A pointer parameter as a base for global addresses. */
    default Reg<B64> globalPointer(Param param) {
        return toGlobal(param64(param));
    }

    /** The address of a tensor map that is passed by value. */
    default GenericAddress tensorMap(Param param) {
        if (param.kind() != Param.Kind.TENSOR_MAP) {
            throw new IllegalArgumentException("parameter '" + param.name() + "' is no tensor map but " + param.kind());
        }
        return GenericAddress.of(genericAddressOf(param));
    }

    default void prefetchTensorMap(GenericAddress map) {
        with(new PrefetchTensorMap(map));
    }

    /** {@code d = [address]}, weak. */
    default void ld(ScalarType type, Reg<?> d, Address address) {
        ld(Ordering.DEFAULT, CacheOperator.NONE, type, List.of(d), address);
    }

    /** The general load. */
    default void ld(
            Ordering ordering, CacheOperator cache, ScalarType type, List<? extends Reg<?>> d, Address address) {
        with(new Load(ordering, cache, type, List.copyOf(d), address));
    }

    default Reg<B32> ld32(Address address) {
        return into(b32(), d -> ld(ScalarType.B32, d, address));
    }

    default Reg<B32> ld32(Ordering ordering, Address address) {
        return into(b32(), d -> ld(ordering, CacheOperator.NONE, ScalarType.U32, List.of(d), address));
    }

    default Reg<F32> ldF32(Address address) {
        return into(f32(), d -> ld(ScalarType.F32, d, address));
    }

    /** 2 or 4 values at once, at most 16 bytes. */
    default void ldVector(ScalarType type, List<? extends Reg<?>> d, Address address) {
        ld(Ordering.DEFAULT, CacheOperator.NONE, type, d, address);
    }

    /** {@code [address] = value}, weak. */
    default void st(ScalarType type, Address address, Operand<?> value) {
        st(Ordering.DEFAULT, CacheOperator.NONE, type, address, List.of(value));
    }

    /** The general store. */
    default void st(
            Ordering ordering,
            CacheOperator cache,
            ScalarType type,
            Address address,
            List<? extends Operand<?>> values) {
        with(new Store(ordering, cache, type, address, List.copyOf(values)));
    }

    default void st32(Address address, Operand<B32> value) {
        st(ScalarType.B32, address, value);
    }

    default void st64(Address address, Operand<B64> value) {
        st(ScalarType.B64, address, value);
    }

    default void stF32(Address address, Operand<F32> value) {
        st(ScalarType.F32, address, value);
    }

    /** 2 or 4 values at once, at most 16 bytes. */
    default void stVector(ScalarType type, Address address, List<? extends Operand<?>> values) {
        st(Ordering.DEFAULT, CacheOperator.NONE, type, address, values);
    }

    /** The old value of an atomic operation on u32 or b32 (by the operation). */
    default Reg<B32> atom32(Ordering ordering, AtomicOperation operation, Address address, Operand<B32> b) {
        return into(
                b32(),
                d -> with(new Atomic(
                        ordering, operation, integerOf(operation, ScalarType.B32), d, address, b, Optional.empty())));
    }

    /** An atomic operation in global memory without the old value. */
    default <T extends RegisterType> void red(
            Ordering ordering, AtomicOperation operation, ScalarType type, GlobalAddress address, Operand<T> b) {
        with(new Reduce(ordering, operation, type, address, b));
    }

    /** Remote asynchronous write of 1, 2 or 4 f32 values; their bytes are completed on {@code barrier}. PTX ISA 8.1. */
    default void stAsyncF32(ClusterAddress address, List<? extends Operand<F32>> values, ClusterAddress barrier) {
        with(new StoreAsync(ScalarType.F32, address, List.copyOf(values), barrier));
    }

    private static ScalarType integerOf(AtomicOperation operation, ScalarType bits) {
        return switch (operation) {
            case ADD, MIN, MAX, INC, DEC -> bits.unsigned();
            case AND, OR, XOR, EXCH, CAS -> bits;
        };
    }
}
