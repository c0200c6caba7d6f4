/**
 * A trial and its result: testbed, outcome, measurement, and the evidence of the tile scheduler.
 *
 * <p>Comes in: what a worker found. Goes out: the same as records. Must not know: how it was found, where it is kept.
 */
@NullMarked
package dev.tilewright.model.trial;

import org.jspecify.annotations.NullMarked;
