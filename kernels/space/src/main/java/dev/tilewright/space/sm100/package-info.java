/**
 * The search space of {@code sm100-gemm}: a plan for each part of a kernel.
 *
 * <p>Comes in: a problem and the limits of a GPU. Goes out: a search space, configs by type. Must not know: how a
 * kernel is built, how fast it is.
 */
@NullMarked
package dev.tilewright.space.sm100;

import org.jspecify.annotations.NullMarked;
