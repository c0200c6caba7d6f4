/**
 * The common part of the kernels of all families around their mainloops: arguments and launch, who schedules, where a
 * tile lies, the trace.
 *
 * <p>Comes in: parameters of a family, by type. Goes out: code at the ends of the roles, and launches as data. Must not
 * know: which family it is for, CUDA.
 */
@NullMarked
package dev.tilewright.gemm.kernel;

import org.jspecify.annotations.NullMarked;
