/**
 * The kernel families: their search spaces, the words for their configs in short form, and the tile that a cluster
 * computes at a time.
 *
 * <p>Comes in: a problem and the limits of a GPU. Goes out: a search space, words for its configs. Must not know: how a
 * kernel is built, how fast it is.
 */
@NullMarked
package dev.tilewright.space.family;

import org.jspecify.annotations.NullMarked;
