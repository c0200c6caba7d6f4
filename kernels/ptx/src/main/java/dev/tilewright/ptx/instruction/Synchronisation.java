package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;

/** A reduction and fences of clusters. PTX 9.7.13.4, 9.7.13.7. */
public sealed interface Synchronisation extends Instruction {

    /**
     * {@code red.async}: {@code [address] = op(old, b)} in shared memory of the cluster, later; its bytes are completed
     * on the barrier in the same CTA. Relaxed at cluster scope. One thread.
     */
    record ReduceAsync(
            AtomicOperation operation, ScalarType type, ClusterAddress address, Operand<?> b, ClusterAddress barrier)
            implements Synchronisation, MbarrierUse {
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
        public void operands(OperandVisitor visitor) {
            visitor.address(address, StateSpace.SHARED_CLUSTER);
            visitor.read(b, type);
            visitor.barrier("red.async", barrier, StateSpace.SHARED_CLUSTER);
        }

        @Override
        public Requirement requires() {
            return Requirement.isa(8, 1);
        }
    }

    /**
     * {@code fence.sync_restrict} at cluster scope: acquire for objects in shared memory of the cluster, release for
     * those of the own CTA; {@code async}: between the generic and the asynchronous proxy.
     */
    record RestrictedFence(Sem sem, boolean async) implements Synchronisation {
        public RestrictedFence {
            Check.that(sem == Sem.ACQUIRE || sem == Sem.RELEASE, "fence: ordering must be acquire or release", sem);
        }

        /** The only scope. */
        public Scope scope() {
            return Scope.CLUSTER;
        }

        /** The objects it is for. */
        public StateSpace space() {
            return sem == Sem.ACQUIRE ? StateSpace.SHARED_CLUSTER : StateSpace.SHARED;
        }

        @Override
        public void operands(OperandVisitor visitor) {}

        @Override
        public Requirement requires() {
            return Requirement.isa(8, 6);
        }
    }
}
