package dev.tilewright.model.trial;

/**
 * The launch as it was executed, read back from the device where possible.
 *
 * @param gridX number of CTAs
 * @param clusterSize CTAs in a cluster
 * @param threads threads in a CTA
 */
public record Executed(int gridX, int clusterSize, int threads) {}
