package dev.tilewright.space;

/**
 * How large a space is.
 *
 * @param points number of all combinations of values, whether or not they keep the rules
 * @param size number of those that do
 */
public record SpaceSummary(long points, long size) {}
