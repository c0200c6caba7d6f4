package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.async.BulkStore;
import dev.tilewright.emulator.async.BulkStore.Combine;
import dev.tilewright.emulator.machine.Cluster;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Parameters.EncodedMap;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.tensor.TensorMap;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.Arrays;
import java.util.List;

/** Bulk copies and reductions from shared to global memory, which complete by bulk groups. PTX 9.7.9.25, 9.7.9.27. */
final class BulkStoreOperations {
    private BulkStoreOperations() {}

    /** Bytes in a row from shared to global memory. */
    static Operation range(
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
            int count = BulkCopyOperations.requireBytes(bytes.word(warp, lane));
            source.requireAligned(
                    strand, "the source of a bulk store", from & 0xFFFFFFFFL, BulkCopyOperations.ALIGNMENT);
            destination.requireAligned(strand, "the destination of a bulk store", to, BulkCopyOperations.ALIGNMENT);
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

    /** A box of a tensor, or four rows of it. */
    static Operation box(
            boolean fourRows,
            GenericAddress mapAddress,
            List<Operand<B32>> list,
            SharedAddress sharedAddress,
            ByMap combine,
            Operands operands) {
        MemoryOperand source = MemoryOperand.of(sharedAddress, operands);
        MemoryOperand mapOperand = MemoryOperand.of(mapAddress, operands);
        List<SourceOperand> coordinates =
                list.stream().<SourceOperand>map(operands::value).toList();
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            EncodedMap encoded = BulkCopyOperations.map(strand, mapOperand, lane, fourRows, coordinates.size());
            int from = source.shared(warp, lane);
            source.requireAligned(
                    strand,
                    "the source of a box",
                    from & 0xFFFFFFFFL,
                    encoded.map().sharedAlignment());
            Cta cta = strand.cluster().cta(from, "bulk store");
            int[] box = BulkCopyOperations.coordinates(coordinates, warp, lane);
            Combine combined = combine.of(encoded.map());
            enqueue(
                    strand,
                    lane,
                    BulkStore.box(
                            strand.origin(),
                            strand.bulkGroups(),
                            cta.shared(),
                            Cluster.offset(from),
                            strand.memory().global(),
                            encoded.map(),
                            encoded.base(),
                            box,
                            combined,
                            repeats(
                                    strand,
                                    lane,
                                    combined,
                                    from,
                                    List.of(
                                            encoded.base(),
                                            Arrays.stream(box).boxed().toList()))));
        });
    }

    /** A store by one instruction, for comparing. */
    private record Issue(int pc, int from, List<Object> to) {}

    /** Whether another lane has issued the same; reductions of several lanes are several. */
    private static boolean repeats(Strand strand, int lane, Combine combine, int from, List<Object> to) {
        int pc = strand.origin().pc();
        return combine == BulkCopyOperations.REPLACE && strand.bulkGroups().repeats(lane, new Issue(pc, from, to));
    }

    private static void enqueue(Strand strand, int lane, BulkStore store) {
        strand.bulkGroups().add(lane, store);
        strand.device().async().add(store);
    }
}
