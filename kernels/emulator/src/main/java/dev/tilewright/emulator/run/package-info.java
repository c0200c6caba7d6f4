/**
 * The input of a run (launch, buffers and arguments, options), and its statistics.
 *
 * <p>Comes in: values of a caller. Goes out: the same, refused where they make no launch. Must not know: the machine.
 */
@NullMarked
package dev.tilewright.emulator.run;

import org.jspecify.annotations.NullMarked;
