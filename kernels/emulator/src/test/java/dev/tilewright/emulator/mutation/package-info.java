/**
 * Kernels made wrong mechanically, to see whether the emulator notices.
 *
 * <p>Comes in: correct kernels. Goes out: mutants, each with one change to its synchronisation or addressing, and how
 * many are found.
 */
@NullMarked
package dev.tilewright.emulator.mutation;

import org.jspecify.annotations.NullMarked;
