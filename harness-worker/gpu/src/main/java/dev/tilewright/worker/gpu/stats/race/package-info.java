/**
 * When enough is known: who of a race or a final is surely behind, and when the ratio of a final is narrow enough.
 * Pure.
 *
 * <p>Comes in: one duration for each arm and turn. Goes out: who leaves, with what interval, and whether to stop. Must
 * not know: what an arm is, how it is run, whose it is.
 */
@NullMarked
package dev.tilewright.worker.gpu.stats.race;

import org.jspecify.annotations.NullMarked;
