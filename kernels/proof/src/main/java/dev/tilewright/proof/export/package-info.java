/**
 * Writes a kernel of a family out, with the description of its launch, so that a user can change it and check it.
 *
 * <p>Comes in: a built kernel and its launch. Goes out: text. Must not know: the emulator.
 */
@NullMarked
package dev.tilewright.proof.export;

import org.jspecify.annotations.NullMarked;
