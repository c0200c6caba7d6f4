/**
 * Timing on a GPU.
 *
 * <p>Comes in: arms, each a kernel that can be put into the stream again and again, and a GPU. Goes out: durations of
 * launches and their summaries. Every arm, the vendor's too, goes through
 * {@link dev.tilewright.worker.gpu.measure.Stopwatch}, the one launch path. Must not know: what a kernel computes, how
 * it was built, whether its result is right.
 */
@NullMarked
package dev.tilewright.worker.gpu.measure;

import org.jspecify.annotations.NullMarked;
