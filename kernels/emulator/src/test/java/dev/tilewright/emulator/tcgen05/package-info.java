/** Tensor memory and what multiplies in it. */
@NullMarked
package dev.tilewright.emulator.tcgen05;

import org.jspecify.annotations.NullMarked;
