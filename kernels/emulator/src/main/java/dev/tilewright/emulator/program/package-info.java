/**
 * A kernel read once: functions unfolded, registers as numbers, branches with the instruction at which their lanes meet
 * again.
 *
 * <p>Comes in: an entry. Goes out: a program that warps of many CTAs share. Must not know: the state of a machine, what
 * its instructions do.
 */
@NullMarked
package dev.tilewright.emulator.program;

import org.jspecify.annotations.NullMarked;
