package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.async.BulkStore.Combine;
import dev.tilewright.emulator.async.CopyToShared;
import dev.tilewright.emulator.async.SharedToShared;
import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Cluster;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.BulkTransfer;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;

/** Bulk copies beside those of {@link BulkCopyOperations}. PTX 9.7.9.25.4. */
public final class BulkTransferOperations {
    private static final int ALIGNMENT = 16;

    private BulkTransferOperations() {}

    public static Operation decode(BulkTransfer instruction, Operands operands) {
        return switch (instruction) {
            case BulkTransfer.SharedToCluster i ->
                sharedToCluster(
                        i.destination(), i.source(), i.bytes(), i.barrier(), BulkCopyOperations.REPLACE, operands);
            case BulkTransfer.ReduceToCluster i ->
                sharedToCluster(
                        i.destination(),
                        i.source(),
                        i.bytes(),
                        i.barrier(),
                        Reductions.combine(i.operation(), i.type()),
                        operands);
            case BulkTransfer.MulticastLoad i -> multicastLoad(i, operands);
            case BulkTransfer.HintedStore i ->
                BulkCopyOperations.store(i.source(), i.destination(), i.bytes(), BulkCopyOperations.REPLACE, operands);
            case BulkTransfer.Reduce i ->
                BulkCopyOperations.store(
                        i.source(), i.destination(), i.bytes(), Reductions.combine(i.operation(), i.type()), operands);
            case BulkTransfer.Prefetch i -> prefetch(i, operands);
        };
    }

    /** A copy, or a reduction if {@code combine} does not replace what is there. */
    private static Operation sharedToCluster(
            ClusterAddress destinationAddress,
            SharedAddress sourceAddress,
            Operand<B32> size,
            ClusterAddress barrierAt,
            Combine combine,
            Operands operands) {
        MemoryOperand destination = MemoryOperand.of(destinationAddress, operands);
        MemoryOperand source = MemoryOperand.of(sourceAddress, operands);
        MemoryOperand barrierPlace = MemoryOperand.of(barrierAt, operands);
        SourceOperand bytes = operands.value(size);
        boolean reduces = combine != BulkCopyOperations.REPLACE;
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            Cluster cluster = strand.cluster();
            int to = destination.shared(warp, lane);
            int from = source.shared(warp, lane);
            int barrierAddress = barrierPlace.shared(warp, lane);
            int count = BulkCopyOperations.requireBytes(bytes.word(warp, lane));
            destination.requireAligned(strand, "the destination of a bulk copy", to & 0xFFFFFFFFL, ALIGNMENT);
            source.requireAligned(strand, "the source of a bulk copy", from & 0xFFFFFFFFL, ALIGNMENT);
            Cta target = cluster.cta(to, "bulk copy");
            if (cluster.cta(barrierAddress, "bulk copy") != target) {
                throw new HazardFound(new Hazard.BadOperand("a copy's barrier must be in the CTA of its destination"));
            }
            Mbarrier barrier = target.shared().barrier(Cluster.offset(barrierAddress), "a bulk copy");
            barrier.requireVisible("a bulk copy", strand.cta().id());
            Cta own = MbarrierOperations.own(strand, from, "the source of a bulk copy");
            strand.device()
                    .async()
                    .add(new SharedToShared(
                            strand.origin(),
                            own.shared(),
                            Cluster.offset(from),
                            target.shared(),
                            Cluster.offset(to),
                            count,
                            barrier,
                            combine,
                            reduces));
        });
    }

    private static Operation multicastLoad(BulkTransfer.MulticastLoad i, Operands operands) {
        MemoryOperand destination = MemoryOperand.of(i.destination(), operands);
        MemoryOperand source = MemoryOperand.of(i.source(), operands);
        MemoryOperand barrier = MemoryOperand.of(i.barrier(), operands);
        SourceOperand bytes = operands.value(i.bytes());
        SourceOperand mask = operands.value(i.mask());
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            int to = destination.shared(warp, lane);
            long from = source.address(warp, lane);
            int count = BulkCopyOperations.requireBytes(bytes.word(warp, lane));
            destination.requireAligned(strand, "the destination of a bulk copy", to & 0xFFFFFFFFL, ALIGNMENT);
            source.requireAligned(strand, "the source of a bulk copy", from, ALIGNMENT);
            strand.memory().global().holding(from, count, "bulk copy");
            BulkCopyOperations.multicast(
                    strand,
                    to,
                    new CopyToShared.Range(from, count),
                    barrier.shared(warp, lane),
                    mask.word(warp, lane) & 0xFFFF);
        });
    }

    /** Changes nothing, but asks only for what is there. */
    private static Operation prefetch(BulkTransfer.Prefetch i, Operands operands) {
        MemoryOperand source = MemoryOperand.of(i.source(), operands);
        SourceOperand bytes = operands.value(i.bytes());
        return Lanes.access((strand, lane) -> {
            long from = source.address(strand.warp(), lane);
            int count = BulkCopyOperations.requireBytes(bytes.word(strand.warp(), lane));
            source.requireAligned(strand, "the source of a bulk prefetch", from, ALIGNMENT);
            strand.memory().global().holding(from, count, "bulk prefetch");
        });
    }
}
