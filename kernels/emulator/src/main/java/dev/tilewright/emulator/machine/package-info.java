/**
 * What is there: grid, clusters, CTAs, warps and their strands of lanes, registers.
 *
 * <p>Comes in: a program and a launch. Goes out: a run to its end, or to its first hazard. Must not know: what single
 * instructions do.
 */
@NullMarked
package dev.tilewright.emulator.machine;

import org.jspecify.annotations.NullMarked;
