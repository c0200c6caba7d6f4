/**
 * How fast the emulator is, and how much memory it takes.
 *
 * <p>Comes in: kernels of this project. Goes out: warp instructions and MMA flops a second, times and peak memory of
 * fresh JVMs. Must not know: what makes them so.
 */
@NullMarked
package dev.tilewright.emulator.speed;

import org.jspecify.annotations.NullMarked;
