package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Matrix.Packing;
import java.util.List;

/** ldmatrix and stmatrix of elements that have a byte each in registers. PTX 9.7.14.5.15, 9.7.14.5.16. */
final class ByteMatrices {
    private ByteMatrices() {}

    static Operation load(Matrix.LoadBytes i, Operands operands) {
        MemoryOperand operand = MemoryOperand.of(i.address(), operands);
        List<DestinationOperand> targets =
                i.d().stream().<DestinationOperand>map(operands::target).toList();
        boolean square = i.square();
        int count = i.count();
        int lines = square ? 16 : 8;
        Packing packing = i.packing();
        return (strand, mask) -> {
            BarrierOperations.requireWhole(strand, mask, "ldmatrix");
            for (int matrix = 0; matrix < count; matrix++) {
                int[] rows = new int[lines];
                for (int line = 0; line < lines; line++) {
                    rows[line] = MatrixOperations.row(strand, operand, lines * matrix + line);
                }
                for (int lane = 0; lane < Warp.LANES; lane++) {
                    strand.at(lane);
                    if (square) {
                        give(strand, lane, targets.get(2 * matrix), columns(strand, rows, lane, 0, packing));
                        give(strand, lane, targets.get(2 * matrix + 1), columns(strand, rows, lane, 2, packing));
                    } else {
                        give(strand, lane, targets.get(matrix), row(strand, rows[lane / 4], lane & 3, packing));
                    }
                }
            }
            return Outcome.NEXT;
        };
    }

    /** A lane gets a register, which is undefined if an element of it was never written. */
    private static void give(Strand strand, int lane, DestinationOperand target, long word) {
        target.set(strand.warp(), lane, word);
        strand.got(target);
    }

    /** Two columns of two rows, eight apart: a column of the matrix is a row in shared memory. */
    private static long columns(Strand strand, int[] rows, int lane, int first, Packing packing) {
        long word = 0;
        for (int i = 0; i < 4; i++) {
            int column = 4 * (lane & 3) + first + (i & 1);
            word |= element(strand, rows[column], lane / 4 + 8 * (i >> 1), packing) << 8 * i;
        }
        return word;
    }

    /** Four elements in a row. */
    private static long row(Strand strand, int address, int quarter, Packing packing) {
        long word = 0;
        for (int i = 0; i < 4; i++) {
            word |= element(strand, address, 4 * quarter + i, packing) << 8 * i;
        }
        return word;
    }

    /** An element of a row, with zeros above its bits. */
    private static long element(Strand strand, int address, int index, Packing packing) {
        int first = index * packing.bits();
        int last = first + packing.bits() - 1;
        long bits = MatrixOperations.read(strand, address + first / 8, 1);
        if (last / 8 > first / 8) {
            bits |= MatrixOperations.read(strand, address + last / 8, 1) << 8;
        }
        return bits >>> first % 8 & (1L << packing.bits()) - 1;
    }

    static Operation store(Matrix.StoreBytes i, Operands operands) {
        MemoryOperand operand = MemoryOperand.of(i.address(), operands);
        List<SourceOperand> values =
                i.values().stream().<SourceOperand>map(operands::value).toList();
        return (strand, mask) -> {
            BarrierOperations.requireWhole(strand, mask, "stmatrix");
            for (int matrix = 0; matrix < values.size(); matrix++) {
                for (int column = 0; column < 8; column++) {
                    int address = MatrixOperations.row(strand, operand, 8 * matrix + column);
                    for (int row = 0; row < 16; row++) {
                        int lane = 4 * (row & 7) + column / 2;
                        strand.at(lane);
                        int shift = 8 * ((column & 1) + 2 * (row >> 3));
                        long value = values.get(matrix).get(strand.warp(), lane) >>> shift & 0xFF;
                        MemoryOperand.writeShared(strand, address + row, 1, value);
                    }
                }
            }
            return Outcome.NEXT;
        };
    }
}
