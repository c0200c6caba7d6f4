/** Where elements lie. */
@NullMarked
package dev.tilewright.emulator.tensor;

import org.jspecify.annotations.NullMarked;
