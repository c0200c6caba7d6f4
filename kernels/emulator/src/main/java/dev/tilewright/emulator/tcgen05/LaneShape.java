package dev.tilewright.emulator.tcgen05;

import dev.tilewright.ptx.instruction.Tcgen05.Shape;

/** Which cell of tensor memory a register of a lane stands for, in a load or store. PTX 9.7.16.2.3.1. */
final class LaneShape {
    private LaneShape() {}

    /** Lanes of tensor memory that a shape covers. */
    static int lanes(Shape shape) {
        return shape == Shape.L32_B32 ? 32 : 16;
    }

    /** Columns that so many registers cover. */
    static int columns(Shape shape, int registers) {
        return switch (shape) {
            case L32_B32 -> registers;
            case L16_B64, L16_B128, L16_B256 -> 2 * registers;
        };
    }

    /** Lane of tensor memory, from that of the address. */
    static int lane(Shape shape, int thread, int register) {
        return switch (shape) {
            case L32_B32 -> thread;
            case L16_B64 -> thread / 4 + 8 * (thread & 1);
            case L16_B128 -> thread / 4 + 8 * (register & 1);
            case L16_B256 -> thread / 4 + 8 * (register >> 1 & 1);
        };
    }

    /** Column, from that of the address. */
    static int column(Shape shape, int thread, int register) {
        return switch (shape) {
            case L32_B32 -> register;
            case L16_B64 -> 2 * register + (thread >> 1 & 1);
            case L16_B128 -> register / 2 * 4 + (thread & 3);
            case L16_B256 -> register / 4 * 8 + 2 * (thread & 3) + (register & 1);
        };
    }
}
