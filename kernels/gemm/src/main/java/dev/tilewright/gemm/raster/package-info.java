/**
 * The order of output tiles, in Java and as PTX.
 *
 * <p>Comes in: a linear tile. Goes out: its row and column. Must not know: tile schedulers, shared memory (its swizzle
 * is another thing).
 */
@NullMarked
package dev.tilewright.gemm.raster;

import org.jspecify.annotations.NullMarked;
