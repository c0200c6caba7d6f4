/**
 * The ladder of Hopper: wgmma with sums in registers, from one tile a CTA to persistent clusters whose tensor cores
 * always have products in flight.
 *
 * <p>Comes in: an entry to build. Goes out: the kernel of a step. Must not know: the families of {@code kernels/gemm}.
 */
@NullMarked
package dev.tilewright.examples.sm90;

import org.jspecify.annotations.NullMarked;
