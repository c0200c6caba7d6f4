/**
 * Parameters of kernels, each with what a launch passes for it.
 *
 * <p>Comes in: the parameters that the parts of a kernel declare, and what a launch knows. Goes out: the parameters of
 * the entry, and the arguments and buffers of a launch in their order. Must not know: what the parts are.
 */
@NullMarked
package dev.tilewright.gemm.param;

import org.jspecify.annotations.NullMarked;
