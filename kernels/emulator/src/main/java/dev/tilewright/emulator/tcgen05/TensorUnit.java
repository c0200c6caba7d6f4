package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.memory.SharedMemory;
import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.order.Actor;
import dev.tilewright.emulator.warp.CtaCoordinates;
import dev.tilewright.emulator.warp.Origin;
import dev.tilewright.ptx.instruction.CtaGroup;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tcgen05 state of a CTA: its columns of the SM's tensor memory, and its pending work. */
public final class TensorUnit {
    /** Columns that one alloc brought. */
    record Allocation(int column, int count) {
        @Override
        public String toString() {
            return count + " columns from " + column;
        }
    }

    /** The end of an alloc of the pair. */
    private record AllocatedInPair(Access access, int lane) {}

    private final CtaCoordinates cta;
    private final SharedMemory shared;
    private final TensorCores cores;
    /** The tensor units of the cluster, by rank. */
    private final List<TensorUnit> units;

    private final TensorPipe pipe;
    private final List<Allocation> allocations = new ArrayList<>();
    private final List<Runnable> pairWaiters = new ArrayList<>();
    private final List<CommitArrival> coming = new ArrayList<>();
    private @Nullable PairRequest request;
    private @Nullable AllocatedInPair lastOfPair;
    private @Nullable TensorMemory memory;
    private boolean relinquished;
    private boolean ended;
    private int lastCount = TensorMemory.COLUMNS;

    /**
     * The tensor unit of a CTA that has allocated nothing.
     *
     * @param shared the CTA's own
     * @param units those of the cluster by rank, to be completed by whoever makes them
     */
    public TensorUnit(CtaCoordinates cta, SharedMemory shared, TensorCores cores, List<TensorUnit> units) {
        this.cta = cta;
        this.shared = shared;
        this.cores = cores;
        this.units = units;
        pipe = new TensorPipe(cores.async());
    }

    /** The shared memory of the CTA. */
    SharedMemory shared() {
        return shared;
    }

    /** The tensor memory that it shares with the other CTAs of its SM. */
    TensorMemory memory() {
        TensorMemory known = memory;
        if (known == null) {
            known = cores.memory(cta.sm(), cta.rank());
            memory = known;
        }
        return known;
    }

    TensorCores cores() {
        return cores;
    }

    /** Work that goes on in order: that of a pair is done together, in the pipe of its even CTA. */
    TensorPipe pipe(CtaGroup group) {
        return group == CtaGroup.ONE || (cta.rank() & 1) == 0 ? pipe : peer("tcgen05").pipe;
    }

    /** The tensor unit of the other CTA of the pair, which must exist and must not have exited. PTX 9.7.16.5. */
    TensorUnit peer(String access) {
        int rank = cta.rank() ^ 1;
        if (rank >= units.size()) {
            throw new HazardFound(new Hazard.TensorMemoryMisuse(access + " with .cta_group::2 by rank " + cta.rank()
                    + " of a cluster of " + units.size() + " CTAs, which has no pair"));
        }
        TensorUnit peer = units.get(rank);
        if (peer.ended) {
            throw new HazardFound(new Hazard.ExitedCta(access + " with .cta_group::2", peer.cta.id()));
        }
        return peer;
    }

    /** The tensor units of the CTAs that an instruction is for, in the order of their ranks. */
    List<TensorUnit> group(CtaGroup group, String access) {
        if (group == CtaGroup.ONE) {
            return List.of(this);
        }
        TensorUnit peer = peer(access);
        return (cta.rank() & 1) == 0 ? List.of(this, peer) : List.of(peer, this);
    }

    /** The tensor unit of the other CTA of the pair, which may have exited. */
    TensorUnit pair() {
        return units.get(cta.rank() ^ 1);
    }

    /** The part of one of its warps in an allocation of the pair. */
    @Nullable
    PairRequest request() {
        return request;
    }

    void request(@Nullable PairRequest made) {
        request = made;
        pairGoesOn();
        if (made != null) {
            pair().pairGoesOn();
        }
    }

    /** Registers a callback that runs once, when one CTA of the pair has done its part. */
    void whenPairGoesOn(Runnable waiter) {
        pairWaiters.add(waiter);
    }

    void pairGoesOn() {
        List<Runnable> woken = List.copyOf(pairWaiters);
        pairWaiters.clear();
        woken.forEach(Runnable::run);
    }

    /** An arrival is on its way to the CTA, which must be there still. */
    void expect(CommitArrival arrival) {
        if (ended) {
            throw new HazardFound(new Hazard.ExitedCta(arrival.toString(), cta.id()));
        }
        coming.add(arrival);
    }

    void arrived(CommitArrival arrival) {
        coming.remove(arrival);
    }

    // ---- allocation ---------------------------------------------------------------------------------------------

    /** Requires that the CTA may still allocate so many columns. PTX 9.7.16.7.1. */
    void requireMayAllocate(int count) {
        if (count < 32 || count > TensorMemory.COLUMNS || Integer.bitCount(count) != 1) {
            throw new HazardFound(new Hazard.TensorMemoryMisuse(
                    "tcgen05.alloc of " + count + " columns, not a power of two 32.." + TensorMemory.COLUMNS));
        }
        if (relinquished) {
            throw new HazardFound(
                    new Hazard.TensorMemoryMisuse("tcgen05.alloc by " + this + ", which has relinquished its permit"));
        }
        if (count > lastCount) {
            throw new HazardFound(new Hazard.TensorMemoryMisuse("tcgen05.alloc of " + count + " columns by " + this
                    + " behind one of " + lastCount + ": they must not grow"));
        }
        int owned = allocations.stream().mapToInt(Allocation::count).sum();
        if (owned + count > TensorMemory.COLUMNS) {
            throw new HazardFound(new Hazard.TensorMemoryMisuse("tcgen05.alloc of " + count + " columns by " + this
                    + ", which has " + owned + " of " + TensorMemory.COLUMNS + " itself and would wait for ever"));
        }
    }

    /** Whether this CTA may allocate, and {@code count} columns from {@code column} on are free. */
    boolean hasRoom(int column, int count) {
        return memory().permits(cta.id()) && memory().isFree(column, count);
    }

    void take(int column, int count) {
        memory().take(this, cta.id(), column, count);
        allocations.add(new Allocation(column, count));
        lastCount = count;
    }

    /** The allocation that begins at an address; there must be one, of that size. */
    Allocation allocation(int address, int count) {
        for (Allocation allocation : allocations) {
            if (allocation.column() == address) {
                if (allocation.count() != count) {
                    throw new HazardFound(new Hazard.TensorMemoryMisuse("tcgen05.dealloc of " + count + " columns by "
                            + this + ", which has allocated " + allocation));
                }
                return allocation;
            }
        }
        throw new HazardFound(new Hazard.TensorMemoryMisuse("tcgen05.dealloc at 0x" + Integer.toHexString(address)
                + " by " + this + ", which has allocated " + allocations));
    }

    boolean holds(Allocation allocation) {
        return allocations.contains(allocation);
    }

    void give(Allocation allocation) {
        allocations.remove(allocation);
        memory().free(allocation.column(), allocation.count());
    }

    /** A warp of this CTA has the columns that it requested together with the other CTA of the pair. */
    void allocatedInPair(Actor warp) {
        lastOfPair = new AllocatedInPair(warp.access(), warp.lane());
    }

    /** A warp of the other CTA gives columns of the pair back: it should come behind the allocation here. */
    void requireAllocatedBefore(Issuer peer) {
        AllocatedInPair last = lastOfPair;
        if (last != null && peer.order().hasSignOf(last.access, last.lane, peer.lane())) {
            return;
        }
        shared.order()
                .findings()
                .report(
                        Rule.PAIR_DEALLOC_EARLY,
                        peer.origin().pc(),
                        () -> new HazardFound(
                                new Hazard.TensorMemoryMisuse("tcgen05.dealloc.cta_group::2 by " + peer.tensorUnit()
                                        + ", which by no synchronisation knows that the tcgen05.alloc of " + this
                                        + " is over: GPUs were seen to fail where it is not"),
                                peer.origin().site()));
    }

    /** tcgen05.relinquish_alloc_permit. */
    public void relinquish(CtaGroup group) {
        cores.requireGroup(group);
        relinquished = true;
        memory().givePermit(cta.id());
    }

    /** The CTA ends: all is given back, and nothing is under way. */
    public void end() {
        ended = true;
        pipe.requireEmpty();
        for (CommitArrival arrival : coming) {
            Origin by = arrival.origin();
            shared.order()
                    .findings()
                    .report(
                            Rule.ARRIVAL_AT_EXIT,
                            by.pc(),
                            () -> new HazardFound(
                                    new Hazard.LeakedWork(arrival + ", still on its way to " + this), by.site()));
        }
        if ((cta.rank() ^ 1) < units.size()) {
            units.get(cta.rank() & ~1).pipe.requireNoPairWork();
        }
        if (!allocations.isEmpty()) {
            throw new HazardFound(new Hazard.LeakedWork(
                    "tensor memory of " + this + ", never given back by tcgen05.dealloc: " + allocations));
        }
        // One that never looked at its tensor memory has no permit.
        if (memory != null) {
            memory.givePermit(cta.id());
        }
    }

    @Override
    public String toString() {
        return "CTA " + cta.id();
    }
}
