/**
 * What all runs on the emulator have in common, whoever wrote the kernel: what to try, what it took, how often rings
 * went round, and hazards in words.
 *
 * <p>Comes in: what the emulator says of a run. Goes out: plans, counts, lines. Must not know: kernel families, files,
 * the command line.
 */
@NullMarked
package dev.tilewright.proof.emulation;

import org.jspecify.annotations.NullMarked;
