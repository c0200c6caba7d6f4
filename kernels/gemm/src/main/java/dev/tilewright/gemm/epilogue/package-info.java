/**
 * From accumulators to the output.
 *
 * <p>Comes in: f32 accumulators, in registers of a warpgroup or in tensor memory, and the place of their tile. Goes
 * out: the output in its type in global memory. Must not know: how the accumulators came about, who hands out tiles.
 */
@NullMarked
package dev.tilewright.gemm.epilogue;

import org.jspecify.annotations.NullMarked;
