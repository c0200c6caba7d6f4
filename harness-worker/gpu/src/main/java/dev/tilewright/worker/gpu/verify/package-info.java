/**
 * Whether a kernel's result is right.
 *
 * <p>Comes in: a problem, a seed, a GPU and the kernels of the oracle. Goes out: operands on the device with a proven
 * reference beside them, and the verdict on every element of an output. Must not know: how the kernel under test was
 * built or launched, or how fast it is.
 */
@NullMarked
package dev.tilewright.worker.gpu.verify;

import org.jspecify.annotations.NullMarked;
