/**
 * The scheduler: a seed chooses which strand runs next, and when copies land.
 *
 * <p>Comes in: strands that can run. Goes out: one of them. Must not know: what they do.
 */
@NullMarked
package dev.tilewright.emulator.schedule;

import org.jspecify.annotations.NullMarked;
