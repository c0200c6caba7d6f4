/**
 * How well the emulator finds faults: mutants made mechanically from correct kernels, by rules written down beforehand.
 *
 * <p>Comes in: kernels of every role layout. Goes out: the part of their mutants that a run reports. Must not know: how
 * hazards are found.
 */
@NullMarked
package dev.tilewright.emulator.mutation;

import org.jspecify.annotations.NullMarked;
