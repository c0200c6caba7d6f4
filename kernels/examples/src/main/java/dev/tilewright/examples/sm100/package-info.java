/**
 * The ladder of Blackwell: tcgen05 with sums in tensor memory, from one tile a CTA to pairs of CTAs that take over
 * tiles by Cluster Launch Control.
 *
 * <p>Comes in: an entry to build. Goes out: the kernel of a step. Must not know: the families of {@code kernels/gemm}.
 */
@NullMarked
package dev.tilewright.examples.sm100;

import org.jspecify.annotations.NullMarked;
