package dev.tilewright.emulator.schedule;

/** Lanes of one warp that the scheduler can run. */
public interface Schedulable {
    /** Index of its warp in the CTA. */
    int warpIndex();

    /** Rank of its CTA in the cluster. */
    int rank();

    /** Whether other lanes of the warp have run ahead of these. */
    boolean isBehind();

    boolean asleep();

    /** Whether it only looks again and again for what others have not done yet. */
    boolean polls();
}
