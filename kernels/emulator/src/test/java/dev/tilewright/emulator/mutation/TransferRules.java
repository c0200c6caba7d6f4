package dev.tilewright.emulator.mutation;

import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.function.Function;

/** Rules for bulk copies and for accesses to shared memory. */
final class TransferRules {
    /** Alignment in bytes of a TMA copy's address in shared memory; other instructions take 16. */
    private static final int TMA_STEP = 128;

    private static final int STEP = 16;

    private final Definitions definitions;
    private final Changes changes;
    private final int atom;

    /**
     * Rules for a kernel.
     *
     * @param atom bytes of a swizzle atom: 8 rows
     */
    TransferRules(Definitions definitions, Changes changes, int atom) {
        this.definitions = definitions;
        this.changes = changes;
        this.atom = atom;
    }

    void bulkCopy(int index, BulkCopy instruction) {
        switch (instruction) {
            case BulkCopy.TensorLoad i -> {
                offsets(
                        index,
                        TMA_STEP,
                        bytes -> new BulkCopy.TensorLoad(
                                i.fourRows(),
                                i.group(),
                                i.destination().plus(bytes),
                                i.map(),
                                i.coordinates(),
                                i.barrier(),
                                i.multicast(),
                                i.policy()));
                i.multicast().ifPresent(mask -> multicast((Reg<?>) mask));
            }
            case BulkCopy.TensorStore i ->
                offsets(
                        index,
                        TMA_STEP,
                        bytes -> new BulkCopy.TensorStore(
                                i.fourRows(),
                                i.map(),
                                i.coordinates(),
                                i.source().plus(bytes),
                                i.policy()));
            case BulkCopy.CommitGroup _ -> changes.drop(Rule.COMMIT, index);
            case BulkCopy.WaitGroup i -> {
                changes.drop(Rule.WAIT, index);
                changes.replace(
                        Rule.WAIT_COUNT,
                        index,
                        "one more pending",
                        () -> new BulkCopy.WaitGroup(i.pending() + 1, i.read()));
                if (!i.read()) {
                    changes.replace(Rule.WAIT_READ, index, ".read", () -> new BulkCopy.WaitGroup(i.pending(), true));
                }
            }
            case BulkCopy.TensorReduce _,
                    BulkCopy.TensorPrefetch _,
                    BulkCopy.Load _,
                    BulkCopy.Store _,
                    BulkCopy.SharedToCluster _,
                    BulkCopy.Reduce _,
                    BulkCopy.ReduceToCluster _,
                    BulkCopy.Prefetch _ -> {}
        }
    }

    /** Each bit of the mask dropped, where its constants are. */
    void multicast(Reg<?> mask) {
        definitions.constantsOf(mask).forEach(index -> {
            Move.Copy constant = (Move.Copy) definitions.instruction(index).orElseThrow();
            long bits = ((Immediate<?>) constant.a()).bits();
            for (long rest = bits; rest != 0; rest &= rest - 1) {
                long without = bits & ~Long.lowestOneBit(rest);
                changes.replace(
                        Rule.MULTICAST,
                        index,
                        "mask " + without,
                        () -> new Move.Copy(constant.type(), constant.d(), Immediate.b32(without)));
            }
        });
    }

    void matrix(int index, Matrix instruction) {
        switch (instruction) {
            case Matrix.Store i ->
                offsets(
                        index,
                        STEP,
                        bytes -> new Matrix.Store(i.transposed(), i.address().plus(bytes), i.values()));
            case Matrix.Load _, Matrix.LoadBytes _, Matrix.StoreBytes _ -> {}
        }
    }

    void memory(int index, Memory instruction) {
        switch (instruction) {
            case Memory.Load i
            when i.address() instanceof SharedAddress a ->
                offsets(
                        index,
                        STEP,
                        bytes -> new Memory.Load(i.ordering(), i.cache(), i.hints(), i.type(), i.d(), a.plus(bytes)));
            case Memory.Store i
            when isShared(i.address()) ->
                offsets(
                        index,
                        STEP,
                        bytes -> new Memory.Store(
                                i.ordering(), i.cache(), i.hints(), i.type(), plus(i.address(), bytes), i.values()));
            default -> {}
        }
        OrderRules.memory(changes, index, instruction);
    }

    private static boolean isShared(Address address) {
        return address instanceof SharedAddress || address instanceof ClusterAddress;
    }

    private static Address plus(Address address, int bytes) {
        return switch (address) {
            case SharedAddress a -> a.plus(bytes);
            case ClusterAddress a -> a.plus(bytes);
            default -> throw new IllegalArgumentException("not shared: " + address);
        };
    }

    private void offsets(int index, int step, Function<Integer, Instruction> moved) {
        changes.replace(Rule.OFFSET, index, "address + " + atom, () -> moved.apply(atom));
        changes.replace(Rule.OFFSET, index, "address - " + atom, () -> moved.apply(-atom));
        changes.replace(Rule.OFFSET, index, "address + " + step, () -> moved.apply(step));
    }
}
