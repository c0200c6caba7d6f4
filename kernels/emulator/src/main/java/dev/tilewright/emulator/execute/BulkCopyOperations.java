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
import dev.tilewright.emulator.machine.Parameters.EncodedMap;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;
import java.util.Optional;

/** Copies by the tensor memory accelerator. PTX 9.7.9.25, 9.7.9.27. */
public final class BulkCopyOperations {
    static final int ALIGNMENT = 16;

    static final Combine REPLACE =
            (target, at, source, from, bytes) -> System.arraycopy(source, from, target, at, bytes);

    private BulkCopyOperations() {}

    public static Operation decode(BulkCopy instruction, Operands operands) {
        return switch (instruction) {
            case BulkCopy.TensorLoad i -> tensorLoad(i, operands);
            case BulkCopy.TensorStore i ->
                BulkStoreOperations.box(i.fourRows(), i.map(), i.coordinates(), i.source(), map -> REPLACE, operands);
            case BulkCopy.TensorReduce i ->
                BulkStoreOperations.box(
                        false,
                        i.map(),
                        i.coordinates(),
                        i.source(),
                        map -> {
                            Reductions.refusal(i.operation(), map.type()).ifPresent(rule -> {
                                throw new HazardFound(new Hazard.BadOperand(rule));
                            });
                            return Reductions.combine(i.operation(), map.type());
                        },
                        operands);
            case BulkCopy.TensorPrefetch i -> {
                MemoryOperand map = MemoryOperand.of(i.map(), operands);
                yield Lanes.access((strand, lane) -> {
                    if (i.fourRows()) {
                        map(strand, map, lane, true, BulkCopy.FOUR_ROWS);
                    } else {
                        strand.memory().tensorMaps().at(strand, map.address(strand.warp(), lane));
                    }
                });
            }
            case BulkCopy.Load i -> load(i, operands);
            case BulkCopy.Store i ->
                BulkStoreOperations.range(i.source(), i.destination(), i.bytes(), REPLACE, operands);
            case BulkCopy.SharedToCluster i ->
                sharedToCluster(i.destination(), i.source(), i.bytes(), i.barrier(), REPLACE, operands);
            case BulkCopy.Reduce i ->
                BulkStoreOperations.range(
                        i.source(), i.destination(), i.bytes(), Reductions.combine(i.operation(), i.type()), operands);
            case BulkCopy.ReduceToCluster i ->
                sharedToCluster(
                        i.destination(),
                        i.source(),
                        i.bytes(),
                        i.barrier(),
                        Reductions.combine(i.operation(), i.type()),
                        operands);
            case BulkCopy.Prefetch i -> prefetch(i, operands);
            case BulkCopy.CommitGroup _ ->
                Lanes.access((strand, lane) -> strand.bulkGroups().commit(lane));
            case BulkCopy.WaitGroup i ->
                Lanes.access((strand, lane) -> strand.bulkGroups().waitFor(lane, i.pending(), i.read()));
        };
    }

    static int[] coordinates(List<SourceOperand> values, Warp warp, int lane) {
        int[] result = new int[values.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = values.get(i).word(warp, lane);
        }
        return result;
    }

    /** The map of a box with that number of coordinates; for four rows with a box of them. */
    static EncodedMap map(Strand strand, MemoryOperand operand, int lane, boolean fourRows, int coordinates) {
        EncodedMap encoded = strand.memory().tensorMaps().at(strand, operand.address(strand.warp(), lane));
        if (fourRows) {
            try {
                return new EncodedMap(encoded.map().fourRows(), encoded.base());
            } catch (IllegalArgumentException unfit) {
                throw new HazardFound(new Hazard.BadOperand(
                        coordinates + " coordinates of a column and four rows: " + unfit.getMessage()));
            }
        }
        if (encoded.map().rank() != coordinates) {
            throw new HazardFound(new Hazard.BadOperand(coordinates + " coordinates for a tensor map of rank "
                    + encoded.map().rank()));
        }
        return encoded;
    }

    private static Operation tensorLoad(BulkCopy.TensorLoad i, Operands operands) {
        MemoryOperand mapOperand = MemoryOperand.of(i.map(), operands);
        MemoryOperand destination = MemoryOperand.of(i.destination(), operands);
        MemoryOperand barrier = MemoryOperand.of(i.barrier(), operands);
        List<SourceOperand> coordinates =
                i.coordinates().stream().<SourceOperand>map(operands::value).toList();
        Optional<SourceOperand> multicast = i.multicast().map((Operand<?> m) -> operands.value(m));
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            EncodedMap encoded = map(strand, mapOperand, lane, i.fourRows(), coordinates.size());
            int to = destination.shared(warp, lane);
            destination.requireAligned(
                    strand,
                    "the destination of a box",
                    to & 0xFFFFFFFFL,
                    encoded.map().sharedAlignment());
            CopyToShared.Source source =
                    new CopyToShared.Box(encoded.map(), encoded.base(), coordinates(coordinates, warp, lane));
            copy(strand, lane, i.group(), to, source, barrier.shared(warp, lane), multicast);
        });
    }

    /** A copy into one CTA, or into all of a mask, each counted on the barrier that the group says. */
    private static void copy(
            Strand strand,
            int lane,
            Optional<CtaGroup> group,
            int to,
            CopyToShared.Source source,
            int barrier,
            Optional<SourceOperand> multicast) {
        Cluster cluster = strand.cluster();
        if (multicast.isEmpty()) {
            issue(strand, group, cluster.cta(to, "copy"), to, source, cluster.cta(barrier, "copy"), barrier);
            return;
        }
        int ranks = multicast.get().word(strand.warp(), lane) & 0xFFFF;
        if (ranks == 0 || ranks >>> cluster.ctas().size() != 0) {
            throw new HazardFound(new Hazard.BadOperand("multicast mask 0x" + Integer.toHexString(ranks)
                    + " in a cluster of " + cluster.ctas().size() + " CTAs"));
        }
        for (Cta cta : cluster.ctas()) {
            if ((ranks >>> cta.rank() & 1) != 0) {
                Cta target = cluster.cta(cta.coordinates().window(0), "multicast");
                Cta counting = target;
                if (group.equals(Optional.of(CtaGroup.TWO))) {
                    int rank = cta.rank() & ~1 | cluster.cta(barrier, "copy").rank() & 1;
                    counting = cluster.cta(rank << AddressSpace.RANK_SHIFT, "multicast");
                }
                issue(strand, group, target, to, source, counting, barrier);
            }
        }
    }

    private static void issue(
            Strand strand,
            Optional<CtaGroup> group,
            Cta destination,
            int to,
            CopyToShared.Source source,
            Cta counting,
            int barrierAddress) {
        boolean near = group.equals(Optional.of(CtaGroup.TWO))
                ? counting.rank() >> 1 == destination.rank() >> 1
                : counting == destination;
        if (!near) {
            throw new HazardFound(new Hazard.BadOperand(group.map(g -> "a copy into CTA rank " + destination.rank()
                            + " with ." + g.ptx() + " cannot be counted in rank " + counting.rank())
                    .orElse("a copy's barrier must be in the CTA of its destination")));
        }
        Mbarrier barrier = counting.shared().barrier(Cluster.offset(barrierAddress), "a copy");
        barrier.requireVisible("a copy", strand.cta().id());
        strand.device()
                .async()
                .add(new CopyToShared(
                        strand.origin(),
                        strand.memory().global(),
                        source,
                        destination.shared(),
                        Cluster.offset(to),
                        barrier));
    }

    private static Operation load(BulkCopy.Load i, Operands operands) {
        MemoryOperand destination = MemoryOperand.of(i.destination(), operands);
        MemoryOperand source = MemoryOperand.of(i.source(), operands);
        MemoryOperand barrier = MemoryOperand.of(i.barrier(), operands);
        SourceOperand bytes = operands.value(i.bytes());
        Optional<SourceOperand> multicast = i.multicast().map((Operand<?> m) -> operands.value(m));
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            int to = destination.shared(warp, lane);
            long from = source.address(warp, lane);
            int count = requireBytes(bytes.word(warp, lane));
            destination.requireAligned(strand, "the destination of a bulk copy", to & 0xFFFFFFFFL, ALIGNMENT);
            source.requireAligned(strand, "the source of a bulk copy", from, ALIGNMENT);
            strand.memory().global().holding(from, count, "bulk copy");
            CopyToShared.Source range = new CopyToShared.Range(from, count);
            copy(strand, lane, Optional.empty(), to, range, barrier.shared(warp, lane), multicast);
        });
    }

    static int requireBytes(int bytes) {
        if (bytes < 16 || bytes % 16 != 0) {
            throw new HazardFound(new Hazard.BadOperand("a bulk copy has a multiple of 16 bytes, got " + bytes));
        }
        return bytes;
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
        MemoryOperand barrierOperand = MemoryOperand.of(barrierAt, operands);
        SourceOperand bytes = operands.value(size);
        boolean reduces = combine != REPLACE;
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            Cluster cluster = strand.cluster();
            int to = destination.shared(warp, lane);
            int from = source.shared(warp, lane);
            int barrierAddress = barrierOperand.shared(warp, lane);
            int count = requireBytes(bytes.word(warp, lane));
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

    /** Changes nothing, but asks only for what is there. */
    private static Operation prefetch(BulkCopy.Prefetch i, Operands operands) {
        MemoryOperand source = MemoryOperand.of(i.source(), operands);
        SourceOperand bytes = operands.value(i.bytes());
        return Lanes.access((strand, lane) -> {
            long from = source.address(strand.warp(), lane);
            int count = requireBytes(bytes.word(strand.warp(), lane));
            source.requireAligned(strand, "the source of a bulk prefetch", from, ALIGNMENT);
            strand.memory().global().holding(from, count, "bulk prefetch");
        });
    }
}
