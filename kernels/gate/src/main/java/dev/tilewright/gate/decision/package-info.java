/**
 * How a gate decides: pure functions.
 *
 * <p>Comes in: paired durations, or the document of a run. Goes out: verdicts, and how a run ends. Must not know: HTTP,
 * SQL, GPUs, clocks.
 */
@NullMarked
package dev.tilewright.gate.decision;

import org.jspecify.annotations.NullMarked;
