/**
 * Fills buffers before a launch, and compares them with the expectations afterwards.
 *
 * <p>Comes in: descriptions, and bytes that a launch left. Goes out: bytes, and mismatches with the first wrong
 * elements. Must not know: files, PTX, the emulator's machine.
 */
@NullMarked
package dev.tilewright.proof.compare;

import org.jspecify.annotations.NullMarked;
