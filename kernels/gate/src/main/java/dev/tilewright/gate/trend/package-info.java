/**
 * The trend of a case on a branch: an audit of what gates let through, never a gate.
 *
 * <p>Comes in: the effect of each run, in their order. Goes out: where its level changed. Must not know: runs, commits,
 * where they are stored.
 */
@NullMarked
package dev.tilewright.gate.trend;

import org.jspecify.annotations.NullMarked;
