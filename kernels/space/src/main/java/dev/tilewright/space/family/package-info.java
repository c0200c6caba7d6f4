/**
 * What the kernel families know of themselves: their search spaces, what their configs are called in short, and what a
 * cluster computes at a time.
 *
 * <p>Comes in: a problem and the limits of a GPU. Goes out: a search space, words for its configs. Must not know: how a
 * kernel is built, how fast it is.
 */
@NullMarked
package dev.tilewright.space.family;

import org.jspecify.annotations.NullMarked;
