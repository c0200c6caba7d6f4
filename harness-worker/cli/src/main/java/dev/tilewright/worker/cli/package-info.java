/**
 * The verbs of the command line.
 *
 * <p>Comes in: options. Goes out: requests to the API, lines for people, exit codes. Must not know: kernels, CUDA, SQL.
 */
@NullMarked
package dev.tilewright.worker.cli;

import org.jspecify.annotations.NullMarked;
