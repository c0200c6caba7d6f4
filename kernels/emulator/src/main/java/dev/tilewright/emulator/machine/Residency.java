package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.hazard.ShownName;
import dev.tilewright.emulator.program.Program;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.UnfitLaunchException;

/** Counts the CTAs that each SM holds, and finds SMs with room for another cluster. */
final class Residency {
    private static final int THREADS_PER_SM = 2048;
    private static final int CTAS_PER_SM = 32;
    /** Shared memory that each CTA takes for the system. */
    private static final int RESERVED = 1024;

    private final int perSm;
    private final int clusterSize;
    private final int[] resident;
    private int occupied;

    Residency(Program program, Launch launch, int sms) {
        int threads = launch.block().count();
        int shared = program.shared().end(launch.dynamicShared());
        int capacity = program.module().target().sharedBytesPerCta() + RESERVED;
        if (shared > capacity) {
            throw new UnfitLaunchException("kernel " + ShownName.of(launch.entry()) + ": " + (shared - RESERVED)
                    + " bytes of shared memory are more than " + (capacity - RESERVED));
        }
        int byRegisters = Math.max(1, program.entry().launch().minCtasPerSm());
        int byShared = capacity / shared;
        perSm = Math.max(1, Math.min(Math.min(CTAS_PER_SM, THREADS_PER_SM / threads), Math.min(byShared, byRegisters)));
        clusterSize = launch.cluster().count();
        resident = new int[sms];
        if (clusterSize > sms * perSm) {
            throw new UnfitLaunchException("kernel " + ShownName.of(launch.entry()) + ": a cluster of " + clusterSize
                    + " CTAs does not fit on " + sms + " SMs with " + perSm + " CTAs each; it needs more SMs");
        }
    }

    /** Whether a cluster finds room. */
    boolean hasRoom() {
        int room = 0;
        for (int count : resident) {
            room += perSm - count;
        }
        return room >= clusterSize;
    }

    /** Admits a cluster that finds room. The result is the SM of each CTA; the emptiest SM is taken first. */
    int[] admit() {
        int[] chosen = new int[clusterSize];
        for (int i = 0; i < clusterSize; i++) {
            int best = -1;
            for (int sm = 0; sm < resident.length; sm++) {
                if (resident[sm] < perSm && (best < 0 || resident[sm] < resident[best])) {
                    best = sm;
                }
            }
            resident[best]++;
            chosen[i] = best;
        }
        return chosen;
    }

    /** Something else occupies so many SMs, or as many as leave room for one cluster. */
    void occupy(int sms) {
        int most = Math.max(0, resident.length - Math.ceilDiv(clusterSize, perSm));
        int taken = Math.min(sms, most);
        for (int sm = 0; sm < taken; sm++) {
            resident[resident.length - 1 - sm] = perSm;
        }
        occupied = taken;
    }

    /** An occupied SM becomes free. */
    void release() {
        resident[resident.length - occupied--] = 0;
    }

    boolean isOccupied() {
        return occupied > 0;
    }

    void free(int sm) {
        resident[sm]--;
    }
}
