package dev.tilewright.emulator.tcgen05;

import dev.tilewright.ptx.instruction.Tcgen05.Shape;
import java.util.function.IntConsumer;

/**
 * Maps each register of a lane to a cell of tensor memory, in a load or store. PTX 9.7.16.2.3.1.
 *
 * @param registers of a thread
 * @param split columns between the halves of 16x32bx2
 * @param halves whether a register stands for the low halves of two neighbouring columns: 9.7.16.8.2
 */
public record LaneShape(Shape shape, int registers, int split, boolean halves) {
    /** Lanes of tensor memory that it covers. */
    int lanes() {
        return shape == Shape.L32_B32 ? 32 : 16;
    }

    /** Visits the columns that it covers, from that of the address. */
    void columns(IntConsumer visitor) {
        int times = shape == Shape.L16_B32_TWICE ? 2 : 1;
        int width = (halves ? 2 : 1)
                * switch (shape) {
                    case L32_B32, L16_B32_TWICE -> registers;
                    case L16_B64, L16_B128, L16_B256 -> 2 * registers;
                };
        for (int time = 0; time < times; time++) {
            for (int column = 0; column < width; column++) {
                visitor.accept(time * split + column);
            }
        }
    }

    /** Lane of tensor memory, from that of the address. */
    int lane(int thread, int register) {
        return switch (shape) {
            case L32_B32 -> thread;
            case L16_B64 -> thread / 4 + 8 * (thread & 1);
            case L16_B128 -> thread / 4 + 8 * (register & 1);
            case L16_B256 -> thread / 4 + 8 * (register >> 1 & 1);
            case L16_B32_TWICE -> thread % 16;
        };
    }

    /** Column, from that of the address; the first of two where registers are halves. */
    int column(int thread, int register) {
        int each = halves ? 2 : 1;
        return switch (shape) {
            case L32_B32 -> each * register;
            case L16_B64 -> each * (2 * register + (thread >> 1 & 1));
            case L16_B128 -> each * (register / 2 * 4 + (thread & 3));
            case L16_B256 -> each * (register / 4 * 8 + 2 * (thread & 3) + (register & 1));
            case L16_B32_TWICE -> each * register + thread / 16 * split;
        };
    }
}
