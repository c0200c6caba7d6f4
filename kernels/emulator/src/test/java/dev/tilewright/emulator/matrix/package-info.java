/** Matrix instructions against plain Java. */
@NullMarked
package dev.tilewright.emulator.matrix;

import org.jspecify.annotations.NullMarked;
