package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.number.ElementFormat;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.WarpMatrix.Role;
import dev.tilewright.ptx.instruction.WarpMatrix.Shape;
import dev.tilewright.ptx.type.Element;
import java.util.List;

/**
 * How the lanes of a warp hold a matrix: a slot of a lane has one element, and slots are packed into registers from the
 * lowest bits.
 *
 * @param height rows
 * @param width columns
 * @param slots of a lane
 */
record Fragment(int height, int width, Element type, int slots, Layout layout) {
    /** Index, counted by rows, of the matrix element that a slot of a lane holds. */
    @FunctionalInterface
    interface Layout {
        int index(int lane, int slot);
    }

    /**
     * wmma's, which is opaque: here each lane has its elements one behind the other, the same for all types, so that
     * kernels may convert fragments element by element. Registers for which there are not enough elements, as those of
     * f16, hold them again.
     */
    static Fragment opaque(Role role, Shape shape, Element type, int registers) {
        int height = height(role, shape);
        int width = width(role, shape);
        int own = height * width / Warp.LANES;
        int slots = type == Element.F64 ? registers : registers * 32 / type.bits();
        return new Fragment(height, width, type, slots, (lane, slot) -> lane * own + slot % own);
    }

    /** mma.sync's, PTX 9.7.14.5. */
    static Fragment synchronous(Role role, Shape shape, Element type, int registers) {
        int height = height(role, shape);
        int width = width(role, shape);
        int slots = type == Element.F64 ? registers : registers * 32 / type.bits();
        int packed = slots / registers;
        Layout layout = switch (role) {
            case A -> {
                // Registers go down the rows first, then along k.
                int down = height / 8;
                yield (lane, slot) -> {
                    int register = slot / packed;
                    int row = lane / 4 + 8 * (register % down);
                    return row * width + packed * ((lane & 3) + 4 * (register / down)) + slot % packed;
                };
            }
            case B -> (lane, slot) -> (packed * ((lane & 3) + 4 * (slot / packed)) + slot % packed) * width + lane / 4;
            case C, D -> (lane, slot) -> (lane / 4 + 8 * (slot / 2)) * width + 2 * (lane & 3) + slot % 2;
        };
        return new Fragment(height, width, type, slots, layout);
    }

    private static int height(Role role, Shape shape) {
        return role == Role.B ? shape.k() : shape.m();
    }

    private static int width(Role role, Shape shape) {
        return role == Role.A ? shape.k() : shape.n();
    }

    int index(int lane, int slot) {
        return layout.index(lane, slot);
    }

    private int inRegister() {
        return type == Element.F64 ? 1 : 32 / type.bits();
    }

    /** Bits of a slot. */
    long get(List<SourceOperand> registers, Warp warp, int lane, int slot) {
        long bits = registers.get(slot / inRegister()).get(warp, lane);
        return type == Element.F64 ? bits : bits >>> type.bits() * (slot % inRegister()) & (1L << type.bits()) - 1;
    }

    /** Puts the bits of a slot into registers that are 0 there. */
    void put(long[] registers, int slot, long bits) {
        registers[slot / inRegister()] |=
                type == Element.F64 ? bits : (bits & (1L << type.bits()) - 1) << type.bits() * (slot % inRegister());
    }

    /** Puts what a lane holds into a dense matrix. */
    void gather(List<SourceOperand> registers, Warp warp, int lane, double[] matrix) {
        for (int slot = 0; slot < slots; slot++) {
            long bits = get(registers, warp, lane, slot);
            matrix[index(lane, slot)] = switch (type) {
                case F64 -> Double.longBitsToDouble(bits);
                case F32, S32 -> ElementFormat.accumulator(type, (int) bits);
                case F16, BF16, TF32, E4M3, E5M2, S8, U8 -> ElementFormat.decode(type, (int) bits);
            };
        }
    }

    /** Takes what a lane holds from a dense matrix. */
    void scatter(double[] matrix, boolean saturate, Warp warp, int lane, List<DestinationOperand> to) {
        long[] registers = new long[to.size()];
        for (int slot = 0; slot < slots; slot++) {
            double value = matrix[index(lane, slot)];
            put(
                    registers,
                    slot,
                    type == Element.F64
                            ? Double.doubleToRawLongBits(value)
                            : ElementFormat.encode(type, saturate, value));
        }
        for (int r = 0; r < registers.length; r++) {
            to.get(r).set(warp, lane, registers[r]);
        }
    }
}
