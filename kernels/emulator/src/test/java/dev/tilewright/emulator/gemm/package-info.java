/** The kernels of sm90-gemm on the emulator. */
@NullMarked
package dev.tilewright.emulator.gemm;

import org.jspecify.annotations.NullMarked;
