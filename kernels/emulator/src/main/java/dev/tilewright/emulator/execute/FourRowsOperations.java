package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.async.CopyToShared;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Cluster;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Parameters.PlacedMap;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.FourRows;
import dev.tilewright.ptx.type.Operand;
import java.util.List;
import java.util.Optional;

/** Copies of four rows that need not be neighbours. PTX 5.5.3.4, 9.7.9.27. */
final class FourRowsOperations {
    private FourRowsOperations() {}

    static Operation decode(FourRows instruction, Operands operands) {
        return switch (instruction) {
            case FourRows.Gather i -> gather(i, operands);
            case FourRows.Scatter i ->
                BulkCopyOperations.tensorStore(
                        i.map(),
                        i.coordinates(),
                        MemoryOperand.of(i.source(), operands),
                        FourRowsOperations::map,
                        map -> BulkCopyOperations.REPLACE,
                        operands);
            case FourRows.Prefetch i -> {
                MemoryOperand map = MemoryOperand.of(i.map(), operands);
                yield Lanes.access((strand, lane) -> map(strand, map, lane, FourRows.COORDINATES));
            }
        };
    }

    /** The map, with a box of four rows. */
    private static PlacedMap map(Strand strand, MemoryOperand place, int lane, int coordinates) {
        PlacedMap placed = strand.memory().tensorMaps().at(strand, place.address(strand.warp(), lane));
        try {
            return new PlacedMap(placed.map().fourRows(), placed.base());
        } catch (IllegalArgumentException unfit) {
            throw new HazardFound(new Hazard.BadOperand(
                    coordinates + " coordinates of a column and four rows: " + unfit.getMessage()));
        }
    }

    private static Operation gather(FourRows.Gather i, Operands operands) {
        MemoryOperand mapPlace = MemoryOperand.of(i.map(), operands);
        MemoryOperand destination = MemoryOperand.of(i.destination(), operands);
        MemoryOperand barrierPlace = MemoryOperand.of(i.barrier(), operands);
        List<SourceOperand> coordinates =
                i.coordinates().stream().<SourceOperand>map(operands::value).toList();
        Optional<SourceOperand> multicast = i.multicast().map((Operand<?> mask) -> operands.value(mask));
        CtaGroup group = i.group().orElse(CtaGroup.ONE);
        return Lanes.access((strand, lane) -> {
            Warp warp = strand.warp();
            PlacedMap placed = map(strand, mapPlace, lane, coordinates.size());
            int to = destination.shared(warp, lane);
            destination.requireAligned(
                    strand,
                    "the destination of a box",
                    to & 0xFFFFFFFFL,
                    placed.map().sharedAlignment());
            CopyToShared.Source source = new CopyToShared.Box(
                    placed.map(), placed.base(), BulkCopyOperations.coordinates(coordinates, warp, lane));
            int barrier = barrierPlace.shared(warp, lane);
            if (multicast.isPresent()) {
                Tcgen05Operations.multicast(
                        strand, group, to, source, barrier, multicast.get().word(warp, lane) & 0xFFFF);
                return;
            }
            Cluster cluster = strand.cluster();
            Tcgen05Operations.copy(
                    strand, group, cluster.cta(to, "copy"), to, source, cluster.cta(barrier, "copy"), barrier);
        });
    }
}
