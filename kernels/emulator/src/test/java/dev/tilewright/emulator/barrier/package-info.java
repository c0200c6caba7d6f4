/** Barriers against a plain model. */
@NullMarked
package dev.tilewright.emulator.barrier;

import org.jspecify.annotations.NullMarked;
