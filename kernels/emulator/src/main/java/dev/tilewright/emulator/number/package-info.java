/**
 * Numbers: what bits say in each format, arithmetic as if with infinite precision, and rounding it once.
 *
 * <p>Comes in: bits and values. Goes out: values and bits. Must not know: registers, memory or instructions.
 */
@NullMarked
package dev.tilewright.emulator.number;

import org.jspecify.annotations.NullMarked;
