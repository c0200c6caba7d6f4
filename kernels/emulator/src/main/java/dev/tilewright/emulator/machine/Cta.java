package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.Launch;
import dev.tilewright.emulator.async.Warpgroup;
import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.barrier.NamedBarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.launch.LaunchControl;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.memory.SharedMemory;
import dev.tilewright.emulator.order.Departure;
import dev.tilewright.emulator.tcgen05.TensorUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A block of threads with its shared memory, barriers and registers. */
public final class Cta {
    private static final int NAMED_BARRIERS = 16;

    private final Cluster cluster;
    private final int rank;
    private final int x;
    private final int y;
    private final int z;
    private final int sm;
    private final SharedMemory shared;
    private final List<Warp> warps = new ArrayList<>();
    private final List<NamedBarrier> named = new ArrayList<>();
    private final List<Warpgroup> warpgroups = new ArrayList<>();
    private final RegisterPool registers = new RegisterPool();
    private final Departure departure = new Departure();
    private final LaunchControl launchControl = new LaunchControl();
    private @Nullable TensorUnit tensorUnit;
    private int threads;

    Cta(Cluster cluster, int rank, int x, int y, int z, int sm) {
        this.cluster = cluster;
        this.rank = rank;
        this.x = x;
        this.y = y;
        this.z = z;
        this.sm = sm;
        Grid grid = cluster.grid();
        Launch launch = grid.launch();
        shared = new SharedMemory(
                id(),
                cluster.id(),
                grid.program().shared().end(launch.dynamicShared()),
                cluster.fences(),
                grid.happensBefore(),
                grid.program().shared()::name);
        threads = launch.block().count();
        int perThread = grid.program()
                .entry()
                .launch()
                .registerCap(grid.program().module().target().registersPerSm());
        for (int first = 0; first < threads; first += Warp.LANES) {
            warps.add(new Warp(this, first / Warp.LANES, Math.min(Warp.LANES, threads - first), perThread));
        }
        for (int i = 0; i < NAMED_BARRIERS; i++) {
            named.add(new NamedBarrier(i));
        }
        for (int first = 0; first + 4 <= warps.size(); first += 4) {
            warpgroups.add(new Warpgroup(this, warps.subList(first, first + 4)));
        }
    }

    public Cluster cluster() {
        return cluster;
    }

    public Grid grid() {
        return cluster.grid();
    }

    public int rank() {
        return rank;
    }

    public int x() {
        return x;
    }

    public int y() {
        return y;
    }

    public int z() {
        return z;
    }

    public int sm() {
        return sm;
    }

    /** Linear id in the grid. */
    public int id() {
        Launch launch = cluster.grid().launch();
        return x + launch.grid().x() * (y + launch.grid().y() * z);
    }

    public SharedMemory shared() {
        return shared;
    }

    public List<Warp> warps() {
        return warps;
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

    /** What it has seen of cluster launch control. */
    public LaunchControl launchControl() {
        return launchControl;
    }

    /** What it has of tcgen05. */
    public TensorUnit tensorUnit() {
        TensorUnit known = tensorUnit;
        if (known == null) {
            known = new TensorUnit(this);
            tensorUnit = known;
        }
        return known;
    }

    public RegisterPool registers() {
        return registers;
    }

    /** Threads that have not exited. */
    public int threads() {
        return threads;
    }

    /** The window address of a byte of the own shared memory. */
    public int window(int offset) {
        return rank << AddressSpace.RANK_SHIFT | offset;
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
        boolean pendingPhase = warp.clusterPhase() == cluster.barrier().phase();
        departure.exit(warp.order(), lanes);
        warp.exit(lanes);
        threads -= count;
        if (threads == 0) {
            requireNothingUnderWay();
        } else {
            named.forEach(barrier -> barrier.shrink(threads));
        }
        cluster.barrier().exit(count, pendingPhase ? arrived : 0);
    }

    private void requireNothingUnderWay() {
        String copy = shared.unobservedCopy();
        if (copy != null) {
            throw new HazardFound(new Hazard.LeakedWork(copy));
        }
        for (Warp warp : warps) {
            warp.bulkGroups().requireRead();
        }
        for (Warpgroup warpgroup : warpgroups) {
            warpgroup.requireIdle();
        }
        if (tensorUnit != null) {
            tensorUnit.requireIdle();
        }
        for (Mbarrier barrier : shared.liveBarriers()) {
            if (barrier.tx() != 0) {
                throw barrier.unbalanced("when its CTA exits");
            }
        }
        shared.end(departure);
    }
}
