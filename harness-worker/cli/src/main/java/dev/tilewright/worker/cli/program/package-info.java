/**
 * Programs of the user with and without a pack: run, and timed beside each other.
 *
 * <p>Comes in: a command of the user, a pack. Goes out: the program's exit code, or how much faster a step of it is.
 * Must not know: what is in a pack.
 */
@NullMarked
package dev.tilewright.worker.cli.program;

import org.jspecify.annotations.NullMarked;
