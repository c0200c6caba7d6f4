/**
 * Tensor maps, boxes, swizzles and matrix descriptors: where an element lies.
 *
 * <p>Comes in: maps and coordinates. Goes out: addresses and moved bytes. Must not know: when anything happens.
 */
@NullMarked
package dev.tilewright.emulator.tensor;

import org.jspecify.annotations.NullMarked;
