/**
 * Writes the emulator's figures to {@code docs/results/emulator}; the tests tagged {@code full} call it.
 *
 * <p>Comes in: numbers of a run. Goes out: a JSON and a Markdown file with the commit, date, JDK and CPU of the run.
 * Must not know: how the numbers came about.
 */
@NullMarked
package dev.tilewright.emulator.figures;

import org.jspecify.annotations.NullMarked;
