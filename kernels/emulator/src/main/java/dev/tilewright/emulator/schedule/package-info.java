/**
 * Who runs next, and when copies land: chosen by a seed.
 *
 * <p>Comes in: strands that can run. Goes out: one of them. Must not know: what they do.
 */
@NullMarked
package dev.tilewright.emulator.schedule;

import org.jspecify.annotations.NullMarked;
