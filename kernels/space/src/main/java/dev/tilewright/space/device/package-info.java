/**
 * The limits of a GPU for kernels, and the order in which it deals clusters out.
 *
 * <p>Comes in: counts of SMs and clusters. Goes out: limits. Must not know: families and their rules.
 */
@NullMarked
package dev.tilewright.space.device;

import org.jspecify.annotations.NullMarked;
