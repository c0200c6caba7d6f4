/**
 * When enough is known: which arms of a race or final are surely behind, and when a ratio is narrow enough. Pure.
 *
 * <p>Comes in: one duration for each arm and turn. Goes out: which arms leave, with what interval, and whether to stop.
 * Must not know: what an arm is, how it is run, whose it is.
 */
@NullMarked
package dev.tilewright.worker.gpu.stats.race;

import org.jspecify.annotations.NullMarked;
