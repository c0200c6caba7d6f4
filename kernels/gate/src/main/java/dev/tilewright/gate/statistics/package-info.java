/**
 * Statistics over blocks, pure.
 *
 * <p>Comes in: one number for each block, never one for each launch. Goes out: means with bounds, centres, tests,
 * shares. Must not know: verdicts, nor where the numbers come from. It has no clock; what it draws at random has a
 * seed.
 */
@NullMarked
package dev.tilewright.gate.statistics;

import org.jspecify.annotations.NullMarked;
