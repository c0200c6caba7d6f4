/**
 * The machine: grid, clusters, CTAs, and strands of the lanes of their warps. The outer knows the inner: a warp gets
 * the coordinates of its CTA as a value, a CTA the device that all clusters share and the barrier of its cluster. An
 * instruction reaches what is around its warp through the strand.
 *
 * <p>Comes in: a program and a launch. Goes out: a run to its end, or to its first hazard. Must not know: what single
 * instructions do.
 */
@NullMarked
package dev.tilewright.emulator.machine;

import org.jspecify.annotations.NullMarked;
