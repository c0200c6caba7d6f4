/**
 * The order of output tiles as PTX.
 *
 * <p>Comes in: a linear tile in a register. Goes out: its row and column, as {@link dev.tilewright.space.raster.Raster}
 * has them. Must not know: tile schedulers, shared memory.
 */
@NullMarked
package dev.tilewright.gemm.raster;

import org.jspecify.annotations.NullMarked;
