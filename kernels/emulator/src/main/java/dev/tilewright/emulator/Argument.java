package dev.tilewright.emulator;

import dev.tilewright.emulator.tensor.TensorMap;

/** A kernel argument, in the order of the entry's parameters. */
public sealed interface Argument {
    /** A 32-bit scalar, also the bits of an f32. */
    record Scalar32(int bits) implements Argument {}

    /** A 64-bit scalar. */
    record Scalar64(long bits) implements Argument {}

    /** The address of a byte of a buffer. */
    record Pointer(String buffer, long offset) implements Argument {}

    /** A tensor map by value, over a buffer. */
    record Map(String buffer, long offset, TensorMap map) implements Argument {}
}
