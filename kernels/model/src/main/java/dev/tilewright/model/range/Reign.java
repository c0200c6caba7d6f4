package dev.tilewright.model.range;

/**
 * The M for which one kernel of a table is launched.
 *
 * @param from the least of them
 * @param to the most of them
 * @param kernel its index in the list of kernels
 */
public record Reign(int from, int to, int kernel) {}
