/**
 * Statistics over blocks, pure.
 *
 * <p>Comes in: one number for each block, never one for each launch. Goes out: medians, intervals, ratios. Must not
 * know: where the numbers come from. It has no clock, draws nothing at random, and has no input or output.
 */
@NullMarked
package dev.tilewright.worker.gpu.stats;

import org.jspecify.annotations.NullMarked;
