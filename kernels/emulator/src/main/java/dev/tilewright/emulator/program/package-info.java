/**
 * A kernel decoded once: registers as numbers, statements as operations, branches with the place where their lanes meet
 * again.
 *
 * <p>Comes in: an entry. Goes out: a program that warps of many CTAs share. Must not know: the state of a machine.
 */
@NullMarked
package dev.tilewright.emulator.program;

import org.jspecify.annotations.NullMarked;
