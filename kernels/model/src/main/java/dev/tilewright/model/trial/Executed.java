package dev.tilewright.model.trial;

/**
 * What was really launched, read back from the device where it can be.
 *
 * @param gridX number of CTAs
 * @param clusterSize CTAs in a cluster
 * @param threads threads in a CTA
 */
public record Executed(int gridX, int clusterSize, int threads) {}
