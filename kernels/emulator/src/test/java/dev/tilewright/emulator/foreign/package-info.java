/** Kernels as compilers and hand writers make them, whole, against Java. */
@NullMarked
package dev.tilewright.emulator.foreign;

import org.jspecify.annotations.NullMarked;
