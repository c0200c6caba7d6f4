package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.machine.Cluster;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.ptx.instruction.Matrix;
import java.util.List;

/** stmatrix and ldmatrix. PTX 9.7.14.5.15, 9.7.14.5.16. */
public final class MatrixOperations {
    private MatrixOperations() {}

    public static Operation decode(Matrix instruction, Operands operands) {
        return switch (instruction) {
            case Matrix.Store i -> store(i, operands);
            case Matrix.Load i -> load(i, operands);
            case Matrix.StoreBytes i -> ByteMatrices.store(i, operands);
            case Matrix.LoadBytes i -> ByteMatrices.load(i, operands);
        };
    }

    /** Address of the row of a matrix, given by lane 8 * matrix + row. */
    private static int row(Strand strand, MemoryOperand operand, int matrix, int row) {
        return row(strand, operand, 8 * matrix + row);
    }

    /** Address that a lane gives. */
    static int row(Strand strand, MemoryOperand operand, int lane) {
        strand.at(lane);
        int address = operand.shared(strand.warp(), lane);
        operand.requireAligned(strand, "a row of a matrix", address & 0xFFFFFFFFL, 16);
        return address;
    }

    private static Operation store(Matrix.Store i, Operands operands) {
        MemoryOperand operand = MemoryOperand.of(i.address(), operands);
        List<SourceOperand> values =
                i.values().stream().<SourceOperand>map(operands::value).toList();
        boolean transposed = i.transposed();
        return (strand, mask) -> {
            BarrierOperations.requireWhole(strand, mask, "stmatrix");
            Warp warp = strand.warp();
            for (int matrix = 0; matrix < values.size(); matrix++) {
                for (int row = 0; row < 8; row++) {
                    int address = row(strand, operand, matrix, row);
                    for (int pair = 0; pair < 4; pair++) {
                        if (transposed) {
                            storeTransposed(strand, values.get(matrix), row, pair, address);
                        } else {
                            int lane = 4 * row + pair;
                            strand.at(lane);
                            MemoryOperand.writeShared(
                                    strand,
                                    address + 4 * pair,
                                    4,
                                    values.get(matrix).get(warp, lane));
                        }
                    }
                }
            }
            return Outcome.NEXT;
        };
    }

    /** Columns 2 * pair and one more of a row: halves of two lanes. */
    private static void storeTransposed(Strand strand, SourceOperand value, int row, int pair, int address) {
        for (int column = 2 * pair; column < 2 * pair + 2; column++) {
            int lane = 4 * column + row / 2;
            strand.at(lane);
            long half = value.get(strand.warp(), lane) >>> 16 * (row & 1);
            MemoryOperand.writeShared(strand, address + 2 * column, 2, half);
        }
    }

    private static Operation load(Matrix.Load i, Operands operands) {
        MemoryOperand operand = MemoryOperand.of(i.address(), operands);
        List<DestinationOperand> targets =
                i.d().stream().<DestinationOperand>map(operands::target).toList();
        boolean transposed = i.transposed();
        return (strand, mask) -> {
            BarrierOperations.requireWhole(strand, mask, "ldmatrix");
            Warp warp = strand.warp();
            for (int matrix = 0; matrix < targets.size(); matrix++) {
                int[] rows = new int[8];
                for (int row = 0; row < 8; row++) {
                    rows[row] = row(strand, operand, matrix, row);
                }
                for (int lane = 0; lane < Warp.LANES; lane++) {
                    // The lane that gets an element reads it, as the one that has it stores it in stmatrix: a warp may
                    // load a matrix and store another there without meeting in between.
                    strand.at(lane);
                    int row = lane / 4;
                    int column = 2 * (lane & 3);
                    long word = transposed
                            ? read(strand, rows[column] + 2 * row, 2)
                                    | read(strand, rows[column + 1] + 2 * row, 2) << 16
                            : read(strand, rows[row] + 2 * column, 4);
                    targets.get(matrix).set(warp, lane, word);
                    strand.got(targets.get(matrix));
                }
            }
            return Outcome.NEXT;
        };
    }

    static long read(Strand strand, int address, int bytes) {
        return strand.cluster().memory(address, "ldmatrix").read(Cluster.offset(address), bytes);
    }
}
