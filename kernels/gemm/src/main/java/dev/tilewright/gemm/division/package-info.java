/**
 * Unsigned division by numbers that are known before a kernel runs, as PTX without a division.
 *
 * <p>Comes in: a dividend in a register, a divisor that the text or the launch knows. Goes out: quotient and remainder.
 * Must not know: what is divided.
 */
@NullMarked
package dev.tilewright.gemm.division;

import org.jspecify.annotations.NullMarked;
