package dev.tilewright.gate.trend;

/**
 * A point of a series where its level changed.
 *
 * @param index of the first point of the new level, from 0
 * @param before mean of the points since the last change before it
 * @param after mean of the points up to the next change after it
 * @param p of so great a difference anywhere in these points, were there none
 */
public record ChangePoint(int index, double before, double after, double p) {}
