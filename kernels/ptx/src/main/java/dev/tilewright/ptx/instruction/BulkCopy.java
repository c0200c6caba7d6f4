package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Optional;

/**
 * Copies by the tensor memory accelerator (the asynchronous proxy). Issued by ONE thread. Loads complete on an
 * mbarrier, by bytes; stores complete by bulk groups of the issuing thread. PTX 9.7.9.25, 9.7.9.27, sm_90.
 */
public sealed interface BulkCopy extends Instruction {
    @Override
    default Requirement requires() {
        return Requirement.HOPPER;
    }

    /**
     * A box of a tensor from global to shared memory. Coordinates: s32 elements, innermost first, 1 to 5. Destination
     * aligned to 128 bytes (1024 with 128-byte swizzle). Bytes of the full box are counted on {@code barrier} even
     * where it lies outside (zeros there). {@code multicast}: 16-bit mask of cluster ranks; data and bytes go to the
     * same offsets in each of them. {@code policy}: from {@link CreatePolicy}. PTX 9.7.9.27.1.2.
     */
    record TensorLoad(
            SharedAddress destination,
            GenericAddress map,
            List<Operand<B32>> coordinates,
            SharedAddress barrier,
            Optional<Operand<B16>> multicast,
            Optional<Operand<B64>> policy)
            implements BulkCopy, MbarrierUse {
        public TensorLoad {
            coordinates = List.copyOf(coordinates);
            Check.box("cp.async.bulk.tensor", map, coordinates);
            Check.aligned("cp.async.bulk.tensor: destination", destination.offset(), 128);
            Check.aligned("cp.async.bulk.tensor: barrier", barrier.offset(), 8);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(destination, StateSpace.SHARED_CLUSTER);
            visitor.address(map, StateSpace.GENERIC);
            coordinates.forEach(c -> visitor.read(c, ScalarType.S32));
            visitor.address(barrier, StateSpace.SHARED_CLUSTER);
            multicast.ifPresent(mask -> visitor.read(mask, ScalarType.B16));
            policy.ifPresent(p -> visitor.read(p, ScalarType.B64));
        }
    }

    /**
     * A box of a tensor from shared to global memory; parts outside the tensor are not written. Source aligned to 128
     * bytes. Joins the thread's open bulk group. Preceded by {@link Barrier.ProxyFence} of the writers. PTX
     * 9.7.9.27.1.2.
     */
    record TensorStore(
            GenericAddress map, List<Operand<B32>> coordinates, SharedAddress source, Optional<Operand<B64>> policy)
            implements BulkCopy {
        public TensorStore {
            coordinates = List.copyOf(coordinates);
            Check.box("cp.async.bulk.tensor", map, coordinates);
            Check.aligned("cp.async.bulk.tensor: source", source.offset(), 128);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(map, StateSpace.GENERIC);
            coordinates.forEach(c -> visitor.read(c, ScalarType.S32));
            visitor.address(source, StateSpace.SHARED);
            policy.ifPresent(p -> visitor.read(p, ScalarType.B64));
        }
    }

    /** What {@link TensorReduce} does with each element. */
    enum ReduceOperation {
        ADD("add"),
        MIN("min"),
        MAX("max"),
        /** The old value plus 1, or 0 if it is the operand or more. */
        INC("inc"),
        /** The old value less 1, or the operand if it is 0 or more than that. */
        DEC("dec"),
        AND("and"),
        OR("or"),
        XOR("xor");

        private final String ptx;

        ReduceOperation(String ptx) {
            this.ptx = ptx;
        }

        public String ptx() {
            return ptx;
        }
    }

    /** {@code global = global op shared}, per element of the box, relaxed at gpu scope. PTX 9.7.9.27.1.3. */
    record TensorReduce(
            ReduceOperation operation,
            GenericAddress map,
            List<Operand<B32>> coordinates,
            SharedAddress source,
            Optional<Operand<B64>> policy)
            implements BulkCopy {
        public TensorReduce {
            coordinates = List.copyOf(coordinates);
            Check.box("cp.reduce.async.bulk.tensor", map, coordinates);
            Check.aligned("cp.reduce.async.bulk.tensor: source", source.offset(), 128);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(map, StateSpace.GENERIC);
            coordinates.forEach(c -> visitor.read(c, ScalarType.S32));
            visitor.address(source, StateSpace.SHARED);
            policy.ifPresent(p -> visitor.read(p, ScalarType.B64));
        }
    }

    /** Brings a box of a tensor into L2. PTX 9.7.9.27.1.4. */
    record TensorPrefetch(GenericAddress map, List<Operand<B32>> coordinates, Optional<Operand<B64>> policy)
            implements BulkCopy {
        public TensorPrefetch {
            coordinates = List.copyOf(coordinates);
            Check.box("cp.async.bulk.prefetch.tensor", map, coordinates);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(map, StateSpace.GENERIC);
            coordinates.forEach(c -> visitor.read(c, ScalarType.S32));
            policy.ifPresent(p -> visitor.read(p, ScalarType.B64));
        }
    }

    /** {@code bytes} (a multiple of 16) from global to shared memory; all aligned to 16. PTX 9.7.9.25.4.1. */
    record Load(
            SharedAddress destination,
            GlobalAddress source,
            Operand<B32> bytes,
            SharedAddress barrier,
            Optional<Operand<B64>> policy)
            implements BulkCopy, MbarrierUse {
        public Load {
            requireBytes(bytes);
            Check.aligned("cp.async.bulk: destination", destination.offset(), 16);
            Check.aligned("cp.async.bulk: barrier", barrier.offset(), 8);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(destination, StateSpace.SHARED_CLUSTER);
            visitor.address(source, StateSpace.GLOBAL);
            visitor.read(bytes, ScalarType.U32);
            visitor.address(barrier, StateSpace.SHARED_CLUSTER);
            policy.ifPresent(p -> visitor.read(p, ScalarType.B64));
        }
    }

    /** {@code bytes} (a multiple of 16) from shared to global memory; joins the open bulk group. PTX 9.7.9.25.4.1. */
    record Store(GlobalAddress destination, SharedAddress source, Operand<B32> bytes) implements BulkCopy {
        public Store {
            requireBytes(bytes);
            Check.aligned("cp.async.bulk: source", source.offset(), 16);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(destination, StateSpace.GLOBAL);
            visitor.address(source, StateSpace.SHARED);
            visitor.read(bytes, ScalarType.U32);
        }
    }

    /** Closes the thread's open bulk group, maybe empty. PTX 9.7.9.27.2.1. */
    record CommitGroup() implements BulkCopy {
        @Override
        public void operands(OperandVisitor visitor) {}
    }

    /**
     * Waits until at most {@code pending} of the thread's latest bulk groups are unfinished; {@code read}: until they
     * have read their shared memory, so that it may be written again, though the writes may not be visible yet. PTX
     * 9.7.9.27.2.2.
     */
    record WaitGroup(int pending, boolean read) implements BulkCopy {
        public WaitGroup {
            Check.range("cp.async.bulk.wait_group: pending", pending, 0, 63);
        }

        @Override
        public void operands(OperandVisitor visitor) {}
    }

    /** How L2 treats the lines of an access. */
    enum EvictionPriority {
        EVICT_FIRST("evict_first"),
        EVICT_LAST("evict_last"),
        EVICT_NORMAL("evict_normal"),
        EVICT_UNCHANGED("evict_unchanged");

        private final String ptx;

        EvictionPriority(String ptx) {
            this.ptx = ptx;
        }

        public String ptx() {
            return ptx;
        }
    }

    /** {@code d} = an L2 policy for this fraction (0 &lt; f &lt;= 1) of the lines. Any thread. PTX 9.7.9.18, sm_80. */
    record CreatePolicy(Reg<B64> d, EvictionPriority priority, float fraction) implements BulkCopy {
        public CreatePolicy {
            Check.that(fraction > 0 && fraction <= 1, "createpolicy: fraction must be above 0 and up to 1", fraction);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.write(d, ScalarType.B64);
        }
    }

    private static void requireBytes(Operand<B32> bytes) {
        if (bytes instanceof Immediate<?> constant) {
            Check.range("cp.async.bulk: bytes", constant.unsigned(), 16, 1 << 20);
            Check.multiple("cp.async.bulk: bytes", constant.unsigned(), 16);
        }
    }
}
