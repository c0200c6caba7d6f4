package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.barrier.ClusterBarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.memory.SharedMemory;
import dev.tilewright.emulator.order.FenceClock;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Statistics.ClusterRun;
import dev.tilewright.emulator.tcgen05.TensorUnit;
import dev.tilewright.emulator.warp.ClusterCoordinates;
import java.util.ArrayList;
import java.util.List;

/** CTAs that run at the same time and reach each other's shared memory. */
public final class Cluster {
    private final ClusterCoordinates coordinates;
    private final ClusterBarrier barrier;
    private final FenceClock fences;
    private final List<Cta> ctas = new ArrayList<>();
    private int stolen;
    private int failed;

    /** The cluster at these coordinates; {@code sms} names the SM of each rank. */
    Cluster(ClusterCoordinates coordinates, int[] sms, Device device) {
        this.coordinates = coordinates;
        Launch launch = device.launch();
        Dim3 extent = launch.cluster();
        int threads = extent.count() * launch.block().count();
        barrier = new ClusterBarrier(threads);
        fences = new FenceClock(threads);
        List<TensorUnit> tensorUnits = new ArrayList<>();
        for (int rank = 0; rank < extent.count(); rank++) {
            ctas.add(new Cta(coordinates.cta(rank, launch, sms[rank]), device, barrier, fences, tensorUnits));
        }
    }

    public ClusterBarrier barrier() {
        return barrier;
    }

    public FenceClock fences() {
        return fences;
    }

    /** One of its requests for another cluster was answered. */
    public void answered(boolean success) {
        if (success) {
            stolen++;
        } else {
            failed++;
        }
    }

    ClusterRun run() {
        return new ClusterRun(
                coordinates.id(),
                ctas.stream().map(cta -> cta.coordinates().sm()).toList(),
                stolen,
                failed);
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
