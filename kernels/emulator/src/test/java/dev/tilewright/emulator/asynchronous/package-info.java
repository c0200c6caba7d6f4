/** Asynchronous work: copies, barriers, tensor maps. */
@NullMarked
package dev.tilewright.emulator.asynchronous;

import org.jspecify.annotations.NullMarked;
