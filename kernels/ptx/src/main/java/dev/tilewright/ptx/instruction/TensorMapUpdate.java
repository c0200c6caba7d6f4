package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.Spelled;
import dev.tilewright.ptx.type.StateSpace;
import java.util.Optional;

/**
 * Changes tensor maps while a kernel runs, as grouped GEMMs do: fields are replaced, then fences of the tensormap proxy
 * let later copies see them. A map has 128 bytes. sm_90a and later a-targets replace, sm_90 fences. PTX 9.7.9.28,
 * 9.7.13.4, 9.7.13.16.
 */
public sealed interface TensorMapUpdate extends Instruction {
    @Override
    default Requirement requires() {
        return Requirement.isa(8, 3);
    }

    /** The field that {@link Replace} replaces. */
    enum Field implements Spelled {
        GLOBAL_ADDRESS,
        /** One less than the dimensions. */
        RANK,
        /** Elements of the box in one dimension. */
        BOX_DIM,
        /** Elements of the tensor in one dimension. */
        GLOBAL_DIM,
        /** Bytes from one index of a dimension to the next; the first is that of the second dimension. */
        GLOBAL_STRIDE,
        ELEMENT_STRIDE,
        ELEMTYPE,
        INTERLEAVE_LAYOUT,
        SWIZZLE_MODE,
        SWIZZLE_ATOMICITY,
        FILL_MODE;

        /** There is one of it for each dimension. */
        public boolean ofDimension() {
            return compareTo(BOX_DIM) >= 0 && compareTo(ELEMENT_STRIDE) <= 0;
        }

        /** Its value is one of a list, and so a constant. */
        public boolean listed() {
            return compareTo(ELEMTYPE) >= 0;
        }

        /** Type of the value. */
        public ScalarType type() {
            return this == GLOBAL_ADDRESS || this == GLOBAL_STRIDE ? ScalarType.B64 : ScalarType.B32;
        }
    }

    /**
     * {@code tensormap.replace}: writes one field of the map at {@code map} (generic, global or shared).
     *
     * @param dimension 0..4, for the fields that each dimension has
     */
    record Replace(Field field, Address map, Optional<Integer> dimension, Operand<?> value)
            implements TensorMapUpdate, Irregular {
        public Replace {
            Check.that(
                    dimension.isPresent() == field.ofDimension(),
                    "tensormap.replace." + field.ptx() + ": a dimension goes with fields that each has",
                    dimension);
            dimension.ifPresent(d -> Check.range("tensormap.replace: dimension", d, 0, 4));
            Check.that(
                    !field.listed() || value instanceof Immediate<?>,
                    "tensormap.replace." + field.ptx() + ": the value must be a constant",
                    value);
            Check.that(
                    map.space() == StateSpace.GENERIC
                            || map.space() == StateSpace.GLOBAL
                            || map.space() == StateSpace.SHARED,
                    "tensormap.replace: the map must be in global or shared memory",
                    map.space());
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(map);
            visitor.read(value, field.type());
        }

        @Override
        public Requirement requires() {
            return new Requirement(Requirement.isa(8, 3).since(), 90, Requirement.Kind.ANY_SPECIFIC);
        }
    }

    /**
     * {@code tensormap.cp_fenceproxy}: the warp copies a map of 128 bytes from shared to global memory and releases it
     * to the tensormap proxy.
     */
    record CopyRelease(Scope scope, GlobalAddress destination, SharedAddress source) implements TensorMapUpdate {
        public CopyRelease {
            requireScope("tensormap.cp_fenceproxy", scope);
        }
    }

    /** {@code fence.proxy.tensormap::generic.release}: the thread's writes of maps, before others acquire them. */
    record Release(Scope scope) implements TensorMapUpdate {
        public Release {
            requireScope("fence.proxy.tensormap", scope);
        }
    }

    /** {@code fence.proxy.tensormap::generic.acquire}: copies behind it see the map of 128 bytes as it was released. */
    record Acquire(Scope scope, GenericAddress map) implements TensorMapUpdate {
        public Acquire {
            requireScope("fence.proxy.tensormap", scope);
        }
    }

    private static void requireScope(String mnemonic, Scope scope) {
        Check.that(scope != Scope.NONE, mnemonic + ": needs a scope", scope);
    }
}
