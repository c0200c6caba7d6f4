package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.async.BulkGroups;
import dev.tilewright.emulator.async.ThreadCopies;
import dev.tilewright.emulator.async.Warpgroup;
import dev.tilewright.emulator.barrier.ClusterBarrier;
import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.barrier.NamedBarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.launch.LaunchControl;
import dev.tilewright.emulator.memory.SharedMemory;
import dev.tilewright.emulator.order.Departure;
import dev.tilewright.emulator.order.FenceClock;
import dev.tilewright.emulator.order.Order;
import dev.tilewright.emulator.tcgen05.TensorUnit;
import dev.tilewright.emulator.warp.CtaCoordinates;
import dev.tilewright.emulator.warp.Footprint;
import dev.tilewright.emulator.warp.Warp;
import java.util.ArrayList;
import java.util.List;

/** A block of threads with its shared memory, barriers and registers. */
public final class Cta {
    private static final int NAMED_BARRIERS = 16;

    private final CtaCoordinates coordinates;
    private final ClusterBarrier clusterBarrier;
    private final SharedMemory shared;
    private final List<Warp> warps = new ArrayList<>();
    private final List<BulkGroups> bulkGroups = new ArrayList<>();
    private final List<ThreadCopies> threadCopies = new ArrayList<>();
    private final List<NamedBarrier> named = new ArrayList<>();
    private final List<Warpgroup> warpgroups = new ArrayList<>();
    private final RegisterPool registers = new RegisterPool();
    private final Departure departure = new Departure();
    private final LaunchControl launchControl = new LaunchControl();
    private final TensorUnit tensorUnit;
    private int threads;

    /**
     * A CTA whose threads are at the first instruction.
     *
     * @param clusterBarrier that its threads share with those of the cluster
     * @param fences of the threads of the cluster
     * @param tensorUnits of the CTAs of the cluster by rank, to which it adds its own
     */
    Cta(
            CtaCoordinates coordinates,
            Device device,
            ClusterBarrier clusterBarrier,
            FenceClock fences,
            List<TensorUnit> tensorUnits) {
        this.coordinates = coordinates;
        this.clusterBarrier = clusterBarrier;
        Footprint footprint = device.footprint();
        Order order = device.happensBefore();
        shared = new SharedMemory(
                coordinates.id(),
                coordinates.cluster().id(),
                footprint.sharedBytes(),
                fences,
                order,
                footprint.sharedNames());
        threads = footprint.threads();
        for (int index = 0; index * Warp.LANES < threads; index++) {
            Warp warp = new Warp(coordinates, index, footprint, order);
            warps.add(warp);
            bulkGroups.add(new BulkGroups(coordinates, index, warp.order(), order));
            threadCopies.add(new ThreadCopies(warp.order()));
        }
        for (int i = 0; i < NAMED_BARRIERS; i++) {
            named.add(new NamedBarrier(i));
        }
        for (int first = 0; first + 4 <= warps.size(); first += 4) {
            warpgroups.add(new Warpgroup(coordinates, warps.subList(first, first + 4), shared, order, device.tally()));
        }
        tensorUnit = new TensorUnit(coordinates, shared, device.tensorCores(), tensorUnits);
        tensorUnits.add(tensorUnit);
    }

    public CtaCoordinates coordinates() {
        return coordinates;
    }

    public int rank() {
        return coordinates.rank();
    }

    /** Linear id in the grid. */
    public int id() {
        return coordinates.id();
    }

    public SharedMemory shared() {
        return shared;
    }

    public List<Warp> warps() {
        return warps;
    }

    /** The bulk stores of a warp's threads. */
    public BulkGroups bulkGroups(Warp warp) {
        return bulkGroups.get(warp.index());
    }

    /** The cp.asyncs of a warp's threads. */
    public ThreadCopies threadCopies(Warp warp) {
        return threadCopies.get(warp.index());
    }

    public NamedBarrier named(int id) {
        return named.get(id);
    }

    /** The warpgroup of a warp. */
    public Warpgroup warpgroup(Warp warp) {
        int index = warp.index() / 4;
        if (index >= warpgroups.size()) {
            throw new HazardFound(new Hazard.Divergent("warp " + warp.index() + " belongs to no whole warpgroup"));
        }
        return warpgroups.get(index);
    }

    /** The answers of cluster launch control that this CTA has read. */
    public LaunchControl launchControl() {
        return launchControl;
    }

    /** Its tensor memory and its tcgen05 work. */
    public TensorUnit tensorUnit() {
        return tensorUnit;
    }

    public RegisterPool registers() {
        return registers;
    }

    /** Threads that have not exited. */
    public int threads() {
        return threads;
    }

    void requireAlive(String access) {
        if (threads == 0) {
            throw new HazardFound(new Hazard.ExitedCta(access, id()));
        }
    }

    /** Lanes of a warp end. */
    void exit(Warp warp, int lanes) {
        int count = Integer.bitCount(lanes);
        int arrived = Integer.bitCount(lanes & warp.clusterArrived());
        boolean pendingPhase = warp.clusterPhase() == clusterBarrier.phase();
        departure.exit(warp.order(), lanes);
        warp.exit(lanes);
        threads -= count;
        if (threads == 0) {
            requireNothingUnderWay();
        } else {
            named.forEach(barrier -> barrier.shrink(threads));
        }
        clusterBarrier.exit(count, pendingPhase ? arrived : 0);
    }

    private void requireNothingUnderWay() {
        String copy = shared.unobservedCopy();
        if (copy != null) {
            throw new HazardFound(new Hazard.LeakedWork(copy));
        }
        bulkGroups.forEach(BulkGroups::requireRead);
        for (Warpgroup warpgroup : warpgroups) {
            warpgroup.requireIdle();
        }
        tensorUnit.end();
        for (Mbarrier barrier : shared.liveBarriers()) {
            if (barrier.tx() != 0) {
                throw barrier.unbalanced("when its CTA exits");
            }
        }
        shared.end(departure);
    }
}
