/**
 * One warp: its lanes, its registers and what is known of them, where its CTA lies, and who executed what.
 *
 * <p>Comes in: values of registers, the coordinates of a CTA. Goes out: the same, or a hazard where a register means
 * nothing. Must not know: the CTA itself, what is under way, what instructions do.
 */
@NullMarked
package dev.tilewright.emulator.warp;

import org.jspecify.annotations.NullMarked;
