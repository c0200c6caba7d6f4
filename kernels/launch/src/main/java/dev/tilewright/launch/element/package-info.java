/**
 * Element types of buffers and scalars: their bits and their values.
 *
 * <p>Comes in: numbers and text. Goes out: bits, and back. Must not know: buffers, kernels.
 */
@NullMarked
package dev.tilewright.launch.element;

import org.jspecify.annotations.NullMarked;
