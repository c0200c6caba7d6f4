/**
 * Recordings of programs: {@code capture}, the file that it writes, and the plan of what to tune of it.
 *
 * <p>Comes in: a command of the user, {@code capture.json}. Goes out: problems with the time that a program spends in
 * them. Must not know: how a job is sent and what comes of it.
 */
@NullMarked
package dev.tilewright.worker.cli.capture;

import org.jspecify.annotations.NullMarked;
