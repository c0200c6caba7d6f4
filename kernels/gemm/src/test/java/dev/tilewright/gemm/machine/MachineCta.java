package dev.tilewright.gemm.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A CTA: its shared memory by words, its barriers, its place in the grid. */
final class MachineCta {
    private static final int WARPGROUP = 4;

    final Machine machine;
    final int cluster;
    final int rank;
    final List<MachineCta> members;
    final Rendezvous clusterBarrier;
    final Mbarriers mbarriers = new Mbarriers();
    final Map<Long, Integer> shared = new HashMap<>();
    private final Map<Integer, Rendezvous> named = new HashMap<>();

    MachineCta(Machine machine, int cluster, int rank, List<MachineCta> members, Rendezvous clusterBarrier) {
        this.machine = machine;
        this.cluster = cluster;
        this.rank = rank;
        this.members = members;
        this.clusterBarrier = clusterBarrier;
    }

    List<MachineThread> threads() {
        List<MachineThread> all = new ArrayList<>();
        int[] issued = new int[0];
        for (int warp = 0; warp < machine.threads / 32; warp++) {
            Rendezvous lanes = new Rendezvous();
            if (warp % WARPGROUP == 0) {
                issued = new int[WARPGROUP * Machine.LANES];
            }
            for (int lane = 0; lane < Machine.LANES; lane++) {
                all.add(new MachineThread(this, warp, lane, lanes, issued));
            }
        }
        return all;
    }

    int index() {
        return cluster * machine.clusterSize + rank;
    }

    Rendezvous named(int id) {
        return named.computeIfAbsent(id, key -> new Rendezvous());
    }

    /** The CTA in whose shared memory a cluster address lies; plain shared addresses lie in the own one. */
    MachineCta owner(long address) {
        int above = (int) (address >> Machine.RANK_SHIFT);
        return above == 0 ? this : members.get(above - 1);
    }

    static long within(long address) {
        return address & ((1L << Machine.RANK_SHIFT) - 1);
    }
}
