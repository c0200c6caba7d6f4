/** The emulator on kernels of a few instructions. */
@NullMarked
package dev.tilewright.emulator;

import org.jspecify.annotations.NullMarked;
