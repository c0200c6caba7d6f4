/**
 * {@code tilewright.yaml}: what a gate looks at, as a team keeps it in its repository.
 *
 * <p>Comes in: its text. Goes out: cases with their kernels, problems and baselines, or all that is wrong with it, each
 * with line, value and rule. Must not know: the service, git, how a bundle is built.
 */
@NullMarked
package dev.tilewright.worker.cli.gate.file;

import org.jspecify.annotations.NullMarked;
