/**
 * Runs a kernel of a file on the emulator as its launch description says, and judges what comes of it.
 *
 * <p>Comes in: PTX text and a description. Goes out: a verdict with its evidence, as lines and as JSON. Must not know:
 * options of the command line, kernel families.
 */
@NullMarked
package dev.tilewright.proof.file;

import org.jspecify.annotations.NullMarked;
