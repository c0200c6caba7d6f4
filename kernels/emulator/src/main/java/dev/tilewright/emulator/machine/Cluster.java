package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.Dim3;
import dev.tilewright.emulator.Statistics.ClusterRun;
import dev.tilewright.emulator.barrier.ClusterBarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.memory.FenceClock;
import dev.tilewright.emulator.memory.SharedMemory;
import java.util.ArrayList;
import java.util.List;

/** CTAs that run at the same time and reach each other's shared memory. */
public final class Cluster {
    private final Grid grid;
    private final int x;
    private final int y;
    private final int z;
    private final ClusterBarrier barrier;
    private final FenceClock fences;
    private final List<Cta> ctas = new ArrayList<>();
    private int stolen;
    private int failed;

    /** The cluster at this place of the grid of clusters, on these SMs. */
    Cluster(Grid grid, int x, int y, int z, int[] sms) {
        this.grid = grid;
        this.x = x;
        this.y = y;
        this.z = z;
        Dim3 extent = grid.launch().cluster();
        int threads = grid.launch().block().count();
        barrier = new ClusterBarrier(extent.count() * threads);
        fences = new FenceClock(extent.count() * threads);
        for (int rank = 0; rank < extent.count(); rank++) {
            int cx = rank % extent.x();
            int cy = rank / extent.x() % extent.y();
            int cz = rank / extent.x() / extent.y();
            ctas.add(new Cta(this, rank, x * extent.x() + cx, y * extent.y() + cy, z * extent.z() + cz, sms[rank]));
        }
    }

    /** Linear id among the clusters of the grid. */
    public int id() {
        Dim3 grids = grid.launch().grid();
        Dim3 extent = grid.launch().cluster();
        return x + grids.x() / extent.x() * (y + grids.y() / extent.y() * z);
    }

    public Grid grid() {
        return grid;
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

    public ClusterBarrier barrier() {
        return barrier;
    }

    public FenceClock fences() {
        return fences;
    }

    /** One of its requests was answered. */
    void answered(boolean success) {
        if (success) {
            stolen++;
        } else {
            failed++;
        }
    }

    ClusterRun run() {
        return new ClusterRun(id(), ctas.stream().map(Cta::sm).toList(), stolen, failed);
    }

    public List<Cta> ctas() {
        return ctas;
    }

    /** The CTA in whose window of shared memory an address lies; it must not have exited. */
    public Cta cta(int address, String access) {
        int rank = address >>> AddressSpace.RANK_SHIFT;
        if (rank >= ctas.size()) {
            throw new HazardFound(new Hazard.OutOfBounds(access + " at shared 0x" + Integer.toHexString(address)
                    + " of rank " + rank + " in a cluster of " + ctas.size()));
        }
        Cta cta = ctas.get(rank);
        cta.requireAlive(access);
        return cta;
    }

    /** The shared memory in whose window an address lies. */
    public SharedMemory memory(int address, String access) {
        return cta(address, access).shared();
    }

    /** Offset of an address in the memory of its CTA. */
    public static int offset(int address) {
        return address & ((1 << AddressSpace.RANK_SHIFT) - 1);
    }
}
