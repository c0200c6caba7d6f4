package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.async.BulkStore;
import dev.tilewright.emulator.async.BulkStore.Combine;
import dev.tilewright.emulator.async.CopyToShared;
import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Cluster;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Parameters.PlacedMap;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.tensor.TensorMap;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.BulkCopy.EvictionPriority;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Copies by the tensor memory accelerator. PTX 9.7.9.25, 9.7.9.27. */
public final class BulkCopyOperations {
    static final Combine REPLACE =
            (target, at, source, from, bytes) -> System.arraycopy(source, from, target, at, bytes);

    private BulkCopyOperations() {}

    public static Operation decode(BulkCopy instruction, Operands operands) {
        return switch (instruction) {
            case BulkCopy.TensorLoad i -> tensorLoad(i, operands);
            case BulkCopy.TensorStore i -> {
                MemoryOperand source = MemoryOperand.of(i.source(), operands);
                yield tensorStore(i.map(), i.coordinates(), source, PLAIN, map -> REPLACE, operands);
            }
            case BulkCopy.TensorReduce i -> {
                MemoryOperand source = MemoryOperand.of(i.source(), operands);
                yield tensorStore(
                        i.map(),
                        i.coordinates(),
                        source,
                        PLAIN,
                        map -> {
                            Reductions.refusal(i.operation(), map.type()).ifPresent(rule -> {
                                throw new HazardFound(new Hazard.BadOperand(rule));
                            });
                            return Reductions.combine(i.operation(), map.type());
                        },
                        operands);
            }
            case BulkCopy.TensorPrefetch i -> {
                MemoryOperand map = MemoryOperand.of(i.map(), operands);
                yield Lanes.access(
                        (strand, lane) -> strand.memory().tensorMaps().at(strand, map.address(strand.warp(), lane)));
            }
            case BulkCopy.Load i -> load(i, operands);
            case BulkCopy.Store i -> store(i.source(), i.destination(), i.bytes(), REPLACE, operands);
            case BulkCopy.CommitGroup _ ->
                Lanes.access((strand, lane) -> strand.bulkGroups().commit(lane));
            case BulkCopy.WaitGroup i ->
                Lanes.access((strand, lane) -> strand.bulkGroups().waitFor(lane, i.pending(), i.read()));
            case BulkCopy.CreatePolicy i -> {
                DestinationOperand d = operands.target(i.d());
                long policy = policy(i.priority());
                yield Lanes.each((warp, lane) -> d.set(warp, lane, policy));
            }
        };
    }

    /** Values that compilers use as ready-made policies; the machine has no cache to which they could matter. */
    static long policy(EvictionPriority priority) {
        return switch (priority) {
            case EVICT_NORMAL -> 0x1000_0000_0000_0000L;
            case EVICT_FIRST -> 0x12F0_0000_0000_0000L;
            case EVICT_LAST -> 0x14F0_0000_0000_0000L;
            case EVICT_UNCHANGED -> 0x1600_0000_0000_0000L;
        };
    }

    static int[] coordinates(List<SourceOperand> values, Warp warp, int lane) {
        int[] result = new int[values.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = values.get(i).word(warp, lane);
        }
        return result;
    }

    static PlacedMap map(Strand strand, MemoryOperand place, int lane, int rank) {
        PlacedMap placed = strand.memory().tensorMaps().at(strand, place.address(strand.warp(), lane));
        if (placed.map().rank() != rank) {
            throw new HazardFound(new Hazard.BadOperand(rank + " coordinates for a tensor map of rank "
                    + placed.map().rank()));
        }
        return placed;
    }

    private static Operation tensorLoad(BulkCopy.TensorLoad i, Operands operands) {
        MemoryOperand mapPlace = MemoryOperand.of(i.map(), operands);
        MemoryOperand destination = MemoryOperand.of(i.destination(), operands);
        MemoryOperand barrier = MemoryOperand.of(i.barrier(), operands);
        List<SourceOperand> coordinates =
                i.coordinates().stream().<SourceOperand>map(operands::value).toList();
        Optional<SourceOperand> multicast = i.multicast().map((Operand<?> m) -> operands.value(m));
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            PlacedMap placed = map(strand, mapPlace, lane, coordinates.size());
            int to = destination.shared(warp, lane);
            destination.requireAligned(
                    strand,
                    "the destination of a box",
                    to & 0xFFFFFFFFL,
                    placed.map().sharedAlignment());
            CopyToShared.Source source =
                    new CopyToShared.Box(placed.map(), placed.base(), coordinates(coordinates, warp, lane));
            if (multicast.isEmpty()) {
                copy(strand, to, source, barrier.shared(warp, lane));
            } else {
                multicast(
                        strand,
                        to,
                        source,
                        barrier.shared(warp, lane),
                        multicast.get().word(warp, lane));
            }
        });
    }

    private static void copy(Strand strand, int to, CopyToShared.Source source, int barrierAddress) {
        Cluster cluster = strand.cluster();
        Cta cta = cluster.cta(to, "copy");
        if (cluster.cta(barrierAddress, "copy") != cta) {
            throw new HazardFound(new Hazard.BadOperand("a copy's barrier must be in the CTA of its destination"));
        }
        issue(strand, cta, Cluster.offset(to), source, Cluster.offset(barrierAddress));
    }

    static void multicast(Strand strand, int to, CopyToShared.Source source, int barrierAddress, int mask) {
        Cluster cluster = strand.cluster();
        if (mask == 0 || mask >>> cluster.ctas().size() != 0) {
            throw new HazardFound(new Hazard.BadOperand("multicast mask 0x" + Integer.toHexString(mask)
                    + " in a cluster of " + cluster.ctas().size() + " CTAs"));
        }
        for (int rank = 0; rank < cluster.ctas().size(); rank++) {
            if ((mask >>> rank & 1) != 0) {
                Cta cta = cluster.cta(cluster.ctas().get(rank).place().window(0), "multicast");
                issue(strand, cta, Cluster.offset(to), source, Cluster.offset(barrierAddress));
            }
        }
    }

    private static void issue(Strand strand, Cta cta, int to, CopyToShared.Source source, int barrierOffset) {
        Mbarrier barrier = cta.shared().barrier(barrierOffset, "a copy");
        barrier.requireVisible("a copy", strand.cta().id());
        strand.device()
                .async()
                .add(new CopyToShared(strand.origin(), strand.memory().global(), source, cta.shared(), to, barrier));
    }

    private static Operation load(BulkCopy.Load i, Operands operands) {
        MemoryOperand destination = MemoryOperand.of(i.destination(), operands);
        MemoryOperand source = MemoryOperand.of(i.source(), operands);
        MemoryOperand barrier = MemoryOperand.of(i.barrier(), operands);
        SourceOperand bytes = operands.value(i.bytes());
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            int to = destination.shared(warp, lane);
            long from = source.address(warp, lane);
            int count = requireBytes(bytes.word(warp, lane));
            destination.requireAligned(strand, "the destination of a bulk copy", to & 0xFFFFFFFFL, 16);
            source.requireAligned(strand, "the source of a bulk copy", from, 16);
            strand.memory().global().holding(from, count, "bulk copy");
            copy(strand, to, new CopyToShared.Range(from, count), barrier.shared(warp, lane));
        });
    }

    static int requireBytes(int bytes) {
        if (bytes < 16 || bytes % 16 != 0) {
            throw new HazardFound(new Hazard.BadOperand("a bulk copy has a multiple of 16 bytes, got " + bytes));
        }
        return bytes;
    }

    /** Bytes in a row from shared to global memory. */
    static Operation store(
            SharedAddress sharedAddress,
            GlobalAddress globalAddress,
            Operand<B32> size,
            Combine combine,
            Operands operands) {
        MemoryOperand destination = MemoryOperand.of(globalAddress, operands);
        MemoryOperand source = MemoryOperand.of(sharedAddress, operands);
        SourceOperand bytes = operands.value(size);
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            int from = source.shared(warp, lane);
            long to = destination.address(warp, lane);
            int count = requireBytes(bytes.word(warp, lane));
            source.requireAligned(strand, "the source of a bulk store", from & 0xFFFFFFFFL, 16);
            destination.requireAligned(strand, "the destination of a bulk store", to, 16);
            Cta cta = strand.cluster().cta(from, "bulk store");
            enqueue(
                    strand,
                    lane,
                    BulkStore.range(
                            strand.origin(),
                            strand.bulkGroups(),
                            cta.shared(),
                            Cluster.offset(from),
                            strand.memory().global(),
                            to,
                            count,
                            combine,
                            repeats(strand, lane, combine, from, List.of(to, count))));
        });
    }

    /** How the elements of a map become one. */
    interface ByMap {
        Combine of(TensorMap map);
    }

    /** Finds the map of a copy for coordinates of that number. */
    interface MapFinder {
        PlacedMap find(Strand strand, MemoryOperand place, int lane, int coordinates);
    }

    private static final MapFinder PLAIN = BulkCopyOperations::map;

    static Operation tensorStore(
            GenericAddress mapAddress,
            List<Operand<B32>> list,
            MemoryOperand source,
            MapFinder maps,
            ByMap combine,
            Operands operands) {
        MemoryOperand mapPlace = MemoryOperand.of(mapAddress, operands);
        List<SourceOperand> coordinates =
                list.stream().<SourceOperand>map(operands::value).toList();
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            PlacedMap placed = maps.find(strand, mapPlace, lane, coordinates.size());
            int from = source.shared(warp, lane);
            source.requireAligned(
                    strand,
                    "the source of a box",
                    from & 0xFFFFFFFFL,
                    placed.map().sharedAlignment());
            Cta cta = strand.cluster().cta(from, "bulk store");
            int[] box = coordinates(coordinates, warp, lane);
            Combine combined = combine.of(placed.map());
            enqueue(
                    strand,
                    lane,
                    BulkStore.box(
                            strand.origin(),
                            strand.bulkGroups(),
                            cta.shared(),
                            Cluster.offset(from),
                            strand.memory().global(),
                            placed.map(),
                            placed.base(),
                            box,
                            combined,
                            repeats(
                                    strand,
                                    lane,
                                    combined,
                                    from,
                                    List.of(
                                            placed.base(),
                                            Arrays.stream(box).boxed().toList()))));
        });
    }

    /** A store by one instruction, for comparing. */
    private record Issue(int pc, int from, List<Object> to) {}

    /** Whether another lane has issued the same; reductions of several lanes are several. */
    private static boolean repeats(Strand strand, int lane, Combine combine, int from, List<Object> to) {
        int pc = strand.origin().pc();
        return combine == REPLACE && strand.bulkGroups().repeats(lane, new Issue(pc, from, to));
    }

    static void enqueue(Strand strand, int lane, BulkStore store) {
        strand.bulkGroups().add(lane, store);
        strand.device().async().add(store);
    }
}
