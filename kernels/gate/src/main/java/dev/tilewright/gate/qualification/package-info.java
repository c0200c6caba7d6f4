/**
 * How often the instrument of a gate is wrong, and how often it is right, on kernels whose truth is known.
 *
 * <p>Comes in: raw blocks of equal kernels and of twins that were slowed, of several GPUs and days. Goes out: shares
 * with their bounds, as a page. Must not know: how blocks are measured, files, services.
 */
@NullMarked
package dev.tilewright.gate.qualification;

import org.jspecify.annotations.NullMarked;
