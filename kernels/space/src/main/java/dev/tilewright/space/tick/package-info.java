/**
 * Ticks of a GPU's timer at which kernels load, for kernels and for the model of a GPU alike.
 *
 * <p>Comes in: the cycles of a block of K. Goes out: nanoseconds between two ticks. Must not know: how a thread waits
 * for one, what is saved by it.
 */
@NullMarked
package dev.tilewright.space.tick;

import org.jspecify.annotations.NullMarked;
