/**
 * The K loop: operands from global memory through a ring of stages into the tensor cores.
 *
 * <p>Comes in: the place of a tile, the number of k blocks. Goes out: accumulators in registers or in tensor memory.
 * Must not know: who hands out tiles, what happens to the accumulators.
 */
@NullMarked
package dev.tilewright.gemm.mainloop;

import org.jspecify.annotations.NullMarked;
