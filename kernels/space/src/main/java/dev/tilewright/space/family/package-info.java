/**
 * A kernel family as the search sees it.
 *
 * <p>Comes in: a problem and the limits of a GPU. Goes out: a search space, words for its configs. Must not know: how a
 * kernel is built, how fast it is.
 */
@NullMarked
package dev.tilewright.space.family;

import org.jspecify.annotations.NullMarked;
