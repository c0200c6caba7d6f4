package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.instruction.BulkCopy.ReduceOperation;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Bulk copies beside {@link BulkCopy}; bytes are multiples of 16, places aligned to 16. PTX 9.7.9.25.4. */
public sealed interface BulkTransfer extends Ordinary {
    @Override
    default Requirement requires() {
        return Requirement.HOPPER;
    }

    /** From the own shared memory to that of a CTA of the cluster; completes on a barrier there. */
    record SharedToCluster(ClusterAddress destination, SharedAddress source, Operand<B32> bytes, ClusterAddress barrier)
            implements BulkTransfer, MbarrierUse {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(destination, StateSpace.SHARED_CLUSTER);
            visitor.address(source, StateSpace.SHARED);
            visitor.read(bytes, ScalarType.U32);
            visitor.address(barrier, StateSpace.SHARED_CLUSTER);
        }
    }

    /** As {@link BulkCopy.Load}, to the same offsets in every CTA of the mask. */
    record MulticastLoad(
            SharedAddress destination,
            GlobalAddress source,
            Operand<B32> bytes,
            SharedAddress barrier,
            Operand<B16> mask,
            Optional<Operand<B64>> policy)
            implements BulkTransfer, MbarrierUse {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(destination, StateSpace.SHARED_CLUSTER);
            visitor.address(source, StateSpace.GLOBAL);
            visitor.read(bytes, ScalarType.U32);
            visitor.address(barrier, StateSpace.SHARED_CLUSTER);
            visitor.read(mask, ScalarType.B16);
            policy.ifPresent(p -> visitor.read(p, ScalarType.B64));
        }
    }

    /** As {@link BulkCopy.Store} with a policy. */
    record HintedStore(GlobalAddress destination, SharedAddress source, Operand<B32> bytes, Operand<B64> policy)
            implements BulkTransfer {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(destination, StateSpace.GLOBAL);
            visitor.address(source, StateSpace.SHARED);
            visitor.read(bytes, ScalarType.U32);
            visitor.read(policy, ScalarType.B64);
        }
    }

    /**
     * {@code global = global op shared}, element by element of f16, bf16 ({@code noFlush} for add), integers, f32, f64;
     * joins the open bulk group.
     */
    record Reduce(
            ReduceOperation operation,
            boolean noFlush,
            ScalarType type,
            GlobalAddress destination,
            SharedAddress source,
            Operand<B32> bytes,
            Optional<Operand<B64>> policy)
            implements BulkTransfer {
        public Reduce {
            Set<ScalarType> types = switch (operation) {
                case ADD ->
                    EnumSet.of(
                            ScalarType.U32,
                            ScalarType.S32,
                            ScalarType.U64,
                            ScalarType.F32,
                            ScalarType.F64,
                            ScalarType.F16,
                            ScalarType.BF16);
                case MIN, MAX ->
                    EnumSet.of(
                            ScalarType.U32,
                            ScalarType.S32,
                            ScalarType.U64,
                            ScalarType.S64,
                            ScalarType.F16,
                            ScalarType.BF16);
                case INC, DEC -> EnumSet.of(ScalarType.U32);
                case AND, OR, XOR -> EnumSet.of(ScalarType.B32, ScalarType.B64);
            };
            requireType(operation, type, types);
            boolean halves = operation == ReduceOperation.ADD && type.bits() == 16;
            Check.that(
                    noFlush == halves,
                    "cp.reduce.async.bulk: .noftz belongs to sums of f16 and bf16, and they need it",
                    "." + operation.ptx() + (noFlush ? ".noftz." : ".") + type.ptx());
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(destination, StateSpace.GLOBAL);
            visitor.address(source, StateSpace.SHARED);
            visitor.read(bytes, ScalarType.U32);
            policy.ifPresent(p -> visitor.read(p, ScalarType.B64));
        }
    }

    /**
     * {@code shared of a CTA of the cluster = that op own shared}, element by element of integers; completes on a
     * barrier there.
     */
    record ReduceToCluster(
            ReduceOperation operation,
            ScalarType type,
            ClusterAddress destination,
            SharedAddress source,
            Operand<B32> bytes,
            ClusterAddress barrier)
            implements BulkTransfer, MbarrierUse {
        public ReduceToCluster {
            Set<ScalarType> types = switch (operation) {
                case ADD -> EnumSet.of(ScalarType.U32, ScalarType.S32, ScalarType.U64);
                case MIN, MAX -> EnumSet.of(ScalarType.U32, ScalarType.S32);
                case INC, DEC -> EnumSet.of(ScalarType.U32);
                case AND, OR, XOR -> EnumSet.of(ScalarType.B32);
            };
            requireType(operation, type, types);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(destination, StateSpace.SHARED_CLUSTER);
            visitor.address(source, StateSpace.SHARED);
            visitor.read(bytes, ScalarType.U32);
            visitor.address(barrier, StateSpace.SHARED_CLUSTER);
        }
    }

    private static void requireType(ReduceOperation operation, ScalarType type, Set<ScalarType> types) {
        Check.that(
                types.contains(type),
                "cp.reduce.async.bulk." + operation.ptx() + ": type must be one of "
                        + types.stream().map(ScalarType::ptx).collect(Collectors.joining(", ")),
                "." + type.ptx());
    }

    /** Brings bytes of global memory into L2. */
    record Prefetch(GlobalAddress source, Operand<B32> bytes, Optional<Operand<B64>> policy) implements BulkTransfer {
        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(source, StateSpace.GLOBAL);
            visitor.read(bytes, ScalarType.U32);
            policy.ifPresent(p -> visitor.read(p, ScalarType.B64));
        }
    }
}
