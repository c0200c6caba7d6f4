package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.kernel.TileLookup.Matrix;
import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.gemm.launch.Swizzle;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.space.operand.OperandTile;
import java.util.List;

/**
 * The part of a matrix that a kernel moves at a time, by TMA.
 *
 * @param major the dimension whose neighbours are neighbours in memory
 * @param columns elements along it
 * @param rows elements along the matrix's other dimension
 */
public record TensorBox(Matrix matrix, DataType type, Major major, int columns, int rows, Swizzle swizzle) {

    /** The box of an operand that a CTA loads at a time: one span of the swizzle, of K or of the rows. */
    public static TensorBox of(OperandTile tile) {
        return new TensorBox(
                Matrix.of(tile.role()),
                tile.element(),
                tile.major(),
                tile.spanElements(),
                tile.boxLines(),
                Swizzle.of(tile.span()));
    }

    /** The box of D that is stored at a time; D is row-major. */
    public static TensorBox ofD(Matrix matrix, DataType type, int columns, int rows, int span) {
        return new TensorBox(matrix, type, Major.N, columns, rows, Swizzle.of(span));
    }

    /**
     * The tensor map of the matrix of a GEMM.
     *
     * @param promotionBytes that L2 fetches at once: 0 for no more than it must
     */
    Argument.TensorMap map(OperandLayout.Gemm gemm, int promotionBytes) {
        int inner = gemm.shape().along(major);
        int outer = gemm.shape().along(matrix.otherThan(major));
        return new Argument.TensorMap(
                matrix.buffer(),
                gemm.first(matrix.buffer()) * type.bytes(),
                type,
                List.of((long) inner, (long) outer),
                List.of((long) inner * type.bytes()),
                List.of(columns, rows),
                swizzle,
                promotionBytes);
    }
}
