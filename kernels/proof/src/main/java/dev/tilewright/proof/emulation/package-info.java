/**
 * The common parts of all runs on the emulator, whoever wrote the kernel: the plan, the effort, the depth of rings, and
 * hazards in words.
 *
 * <p>Comes in: what the emulator says of a run. Goes out: plans, counts, lines. Must not know: kernel families, files,
 * the command line.
 */
@NullMarked
package dev.tilewright.proof.emulation;

import org.jspecify.annotations.NullMarked;
