package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.async.ThreadArrival;
import dev.tilewright.emulator.async.ThreadCopy;
import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Cluster;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.type.Operand;

/** cp.async: copies by single threads that land some time later. PTX 9.7.9.25.3, 9.7.13.15.15. */
public final class AsyncCopyOperations {
    private AsyncCopyOperations() {}

    public static Operation decode(AsyncCopy instruction, Operands operands) {
        return switch (instruction) {
            case AsyncCopy.Copy i -> copy(i, operands);
            case AsyncCopy.CommitGroup _ ->
                Lanes.access((strand, lane) -> strand.threadCopies().commit(lane));
            case AsyncCopy.WaitGroup i ->
                Lanes.access((strand, lane) -> strand.threadCopies().waitFor(lane, i.pending()));
            case AsyncCopy.WaitAll _ ->
                Lanes.access((strand, lane) -> {
                    strand.threadCopies().commit(lane);
                    strand.threadCopies().waitFor(lane, 0);
                });
            case AsyncCopy.ArriveWhenDone i -> arriveWhenDone(i, operands);
        };
    }

    private static Operation copy(AsyncCopy.Copy i, Operands operands) {
        MemoryOperand destination = MemoryOperand.of(i.destination(), operands);
        MemoryOperand source = MemoryOperand.of(i.source(), operands);
        int bytes = i.bytes();
        SourceOperand read = i.sourceBytes()
                .<SourceOperand>map((Operand<?> b) -> operands.value(b))
                .orElse(SourceOperand.constant(bytes));
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            int to = destination.shared(warp, lane);
            Cta cta = MbarrierOperations.own(strand, to, "cp.async");
            destination.requireAligned(strand, "the destination of cp.async", to & 0xFFFFFFFFL, bytes);
            long from = source.address(warp, lane);
            int sourceBytes = read.word(warp, lane);
            if (sourceBytes < 0 || sourceBytes > bytes) {
                throw new HazardFound(new Hazard.BadOperand(
                        "cp.async of " + bytes + " bytes reads at most as many, got " + sourceBytes));
            }
            if (sourceBytes > 0) {
                source.requireAligned(strand, "the source of cp.async", from, bytes);
            }
            ThreadCopy copy = new ThreadCopy(
                    strand.origin(),
                    strand.memory().global(),
                    from,
                    sourceBytes,
                    cta.shared(),
                    Cluster.offset(to),
                    bytes);
            strand.threadCopies().add(lane, copy);
            strand.device().async().add(copy);
        });
    }

    private static Operation arriveWhenDone(AsyncCopy.ArriveWhenDone i, Operands operands) {
        MemoryOperand operand = MemoryOperand.of(i.barrier(), operands);
        return Lanes.access((strand, lane) -> {
            Cta cta = MbarrierOperations.own(strand, operand.shared(strand.warp(), lane), "cp.async.mbarrier.arrive");
            Mbarrier barrier = MbarrierOperations.barrier(strand, lane, operand, "cp.async.mbarrier.arrive");
            if (!i.counted()) {
                barrier.increment();
            }
            strand.device()
                    .async()
                    .add(new ThreadArrival(strand.origin(), cta.shared(), strand.threadCopies(), barrier));
        });
    }
}
