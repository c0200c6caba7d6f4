/**
 * Statistics over blocks, pure.
 *
 * <p>Comes in: one number for each block, never one for each launch. Goes out: medians, intervals, ratios. Must not
 * know: where the numbers come from; it has no clock, no randomness and no input or output.
 */
@NullMarked
package dev.tilewright.worker.stats;

import org.jspecify.annotations.NullMarked;
