/**
 * Tiles that clusters share along K, for kernels and for the model of a GPU alike.
 *
 * <p>Comes in: tiles, their blocks of K and the clusters of a grid. Goes out: which blocks of which tile a cluster has.
 * Must not know: where a tile lies, how a kernel adds up what others computed.
 */
@NullMarked
package dev.tilewright.space.share;

import org.jspecify.annotations.NullMarked;
