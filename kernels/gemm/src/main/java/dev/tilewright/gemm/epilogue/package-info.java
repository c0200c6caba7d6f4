/**
 * From accumulators to the output.
 *
 * <p>Comes in: f32 accumulators of a warpgroup and the place of its tile. Goes out: bf16 in global memory. Must not
 * know: how the accumulators came about, who hands out tiles.
 */
@NullMarked
package dev.tilewright.gemm.epilogue;

import org.jspecify.annotations.NullMarked;
