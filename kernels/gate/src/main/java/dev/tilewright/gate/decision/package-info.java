/**
 * How a gate decides: pure functions of blocks.
 *
 * <p>Comes in: blocks of paired durations, margins, the rule. Goes out: verdicts with their evidence. Must not know:
 * where blocks come from, HTTP, SQL. {@code docs/methodology.md} says why the rules are these.
 */
@NullMarked
package dev.tilewright.gate.decision;

import org.jspecify.annotations.NullMarked;
