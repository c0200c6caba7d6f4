/**
 * What a run is given, and what it says of itself: launch, buffers and arguments, options, statistics.
 *
 * <p>Comes in: values of a caller. Goes out: the same, refused where they make no launch. Must not know: the machine.
 */
@NullMarked
package dev.tilewright.emulator.run;

import org.jspecify.annotations.NullMarked;
