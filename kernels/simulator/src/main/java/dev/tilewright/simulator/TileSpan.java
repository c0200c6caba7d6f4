package dev.tilewright.simulator;

/**
 * One CTA tile on its SM, on the scale of {@link dev.tilewright.model.trial.SchedulerEvidence}: nanoseconds since the
 * earliest start of all.
 *
 * @param sm id of the SM
 * @param cluster number of the cluster in its grid
 * @param group index of the group of the problem
 * @param tileM row of CTA tiles in its GEMM
 * @param tileN column likewise
 * @param padding whether the tile lies outside the output and only fills up its cluster
 * @param startNs when its mainloop began
 * @param endNs when its epilogue had staged the last panel
 */
public record TileSpan(
        int sm, int cluster, int group, int tileM, int tileN, boolean padding, long startNs, long endNs) {}
