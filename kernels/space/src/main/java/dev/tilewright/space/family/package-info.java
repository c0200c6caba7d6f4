/**
 * What the kernel families know of themselves: their search spaces, what their configs are called in short, and what a
 * cluster computes at a time. Knows parameters and limits, not how a kernel is built.
 */
@NullMarked
package dev.tilewright.space.family;

import org.jspecify.annotations.NullMarked;
