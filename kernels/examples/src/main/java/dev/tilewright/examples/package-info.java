/**
 * The ladder: GEMM kernels of two architectures, each a file that is read from top to bottom, each one idea more than
 * the step before it.
 *
 * <p>Comes in: the name of a step, a problem shape. Goes out: the text of its kernel, its launch, and a proof on the
 * emulator. Must not know: GPUs, the command line.
 */
@NullMarked
package dev.tilewright.examples;

import org.jspecify.annotations.NullMarked;
