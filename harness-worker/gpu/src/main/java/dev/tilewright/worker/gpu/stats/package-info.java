/**
 * Statistics over blocks, pure.
 *
 * <p>Comes in: one number for each block, never one for each launch. Goes out: medians, intervals, ratios. Must not
 * know: where the numbers come from; it has no clock and no input or output, and what it draws at random is decided by
 * a seed that it is given.
 */
@NullMarked
package dev.tilewright.worker.gpu.stats;

import org.jspecify.annotations.NullMarked;
