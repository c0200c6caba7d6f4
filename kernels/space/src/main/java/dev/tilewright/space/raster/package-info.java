/**
 * The order of output tiles, for kernels and for the model of a GPU alike.
 *
 * <p>Comes in: a linear tile. Goes out: its row and column. Must not know: who hands out tiles, how a kernel computes
 * this, shared memory (its swizzle is another thing).
 */
@NullMarked
package dev.tilewright.space.raster;

import org.jspecify.annotations.NullMarked;
