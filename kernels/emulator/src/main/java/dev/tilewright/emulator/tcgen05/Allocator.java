package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.tcgen05.TensorUnit.Allocation;
import dev.tilewright.ptx.instruction.CtaGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** tcgen05.alloc and tcgen05.dealloc, by one warp, or by one in each CTA of a pair together. PTX 9.7.16.7.1. */
public final class Allocator {
    private Allocator() {}

    /** The first column that a warp has got; empty if it sleeps, to ask again. */
    public static OptionalInt allocate(Issuer issuer, CtaGroup group, int count) {
        TensorUnit unit = issuer.tensorUnit();
        unit.cores().requireGroup(group);
        if (group == CtaGroup.ONE) {
            unit.requireMayAllocate(count);
            return take(issuer, List.of(unit), count);
        }
        TensorUnit peer = unit.peer("tcgen05.alloc");
        PairRequest own = unit.request();
        if (own == null) {
            unit.requireMayAllocate(count);
            own = new PairRequest(issuer.warp(), count);
            unit.request(own);
        } else if (own.warp != issuer.warp()) {
            unit.whenPairGoesOn(issuer.waker());
            issuer.sleep(() -> "another warp of " + unit + " to allocate tensor memory");
            return OptionalInt.empty();
        }
        Integer granted = own.granted();
        if (granted != null) {
            unit.request(null);
            unit.allocatedInPair(issuer);
            return OptionalInt.of(granted);
        }
        PairRequest theirs = peer.request();
        if (theirs == null || theirs.granted() != null) {
            unit.whenPairGoesOn(issuer.waker());
            issuer.sleep(() -> peer + " to allocate tensor memory together with " + unit);
            return OptionalInt.empty();
        }
        if (theirs.count != count) {
            throw new HazardFound(new Hazard.Divergent(
                    "the CTAs of a pair allocate " + count + " and " + theirs.count + " columns of tensor memory"));
        }
        OptionalInt column = take(issuer, List.of(unit, peer), count);
        if (column.isPresent()) {
            theirs.grant(column.getAsInt());
            unit.request(null);
            unit.allocatedInPair(issuer);
            peer.pairGoesOn();
        }
        return column;
    }

    /** Columns that are free in all; the kernel must not rely on which. */
    private static OptionalInt take(Issuer issuer, List<TensorUnit> units, int count) {
        List<Integer> rooms = new ArrayList<>();
        for (int column = 0; column + count <= TensorMemory.COLUMNS; column += count) {
            int start = column;
            if (units.stream().allMatch(unit -> unit.hasRoom(start, count))) {
                rooms.add(column);
            }
        }
        if (rooms.isEmpty()) {
            Runnable waker = issuer.waker();
            units.forEach(unit -> unit.memory().whenFreed(waker));
            issuer.sleep(() -> count + " free columns of tensor memory, or another CTA of the SM to relinquish its"
                    + " permit to allocate");
            return OptionalInt.empty();
        }
        int chosen = rooms.get(issuer.tensorUnit().cores().choices().choice(rooms.size()));
        units.forEach(unit -> unit.take(chosen, count));
        return OptionalInt.of(chosen);
    }

    /** Gives columns back; for a pair it may wait for the other CTA, or not. True if it has gone to sleep. */
    public static boolean deallocate(Issuer issuer, CtaGroup group, int address, int count) {
        TensorUnit unit = issuer.tensorUnit();
        unit.cores().requireGroup(group);
        Allocation allocation = unit.allocation(address, count);
        requireOver(issuer, unit, allocation);
        if (group == CtaGroup.ONE) {
            unit.give(allocation);
            return false;
        }
        TensorUnit peer = unit.pair();
        peer.requireAllocatedBefore(issuer);
        boolean first = peer.holds(allocation);
        if (first) {
            requireOver(issuer, peer, allocation);
        }
        unit.give(allocation);
        unit.pairGoesOn();
        if (first && unit.cores().choices().perhaps()) {
            peer.whenPairGoesOn(issuer.waker());
            issuer.sleep(() -> peer + " to give back tensor memory together with " + unit);
            return true;
        }
        return false;
    }

    private static void requireOver(Issuer issuer, TensorUnit unit, Allocation allocation) {
        TensorMemory memory = unit.memory();
        for (int column = allocation.column(); column < allocation.column() + allocation.count(); column++) {
            for (int lane = 0; lane < TensorMemory.LANES; lane += TensorMemory.GRANULE_LANES) {
                memory.shadow().requireOver(issuer, TensorMemory.granule(column, lane));
            }
        }
    }
}
