/**
 * The history of a branch. Comes in: a gate and a branch. Goes out: effects of its finished runs, and where they
 * changed. Must not know how a run is decided.
 */
@NullMarked
package dev.tilewright.api.gate.trend;

import org.jspecify.annotations.NullMarked;
