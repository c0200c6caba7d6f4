package dev.tilewright.model.range;

import dev.tilewright.model.space.Config;

/**
 * A kernel of a table for a range of M.
 *
 * @param from the least M for which it is launched
 * @param to the most of them
 * @param config one that the space of some M of the range has, not of each for which it is launched
 * @param usFrom microseconds of one launch with the least M
 * @param usTo the same with the most
 */
public record Span(int from, int to, Config config, double usFrom, double usTo) {}
