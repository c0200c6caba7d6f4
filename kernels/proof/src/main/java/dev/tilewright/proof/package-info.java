/**
 * Proves kernels on the emulator: many seeds of data and interleaving, the result against the reference, and how deep
 * the runs went.
 *
 * <p>Comes in: a family, a problem, a config, a plan. Goes out: a proof - proved, refuted with its evidence, shallow,
 * or unsupported. Must not know: GPUs, leases, the command line, clocks.
 */
@NullMarked
package dev.tilewright.proof;

import org.jspecify.annotations.NullMarked;
