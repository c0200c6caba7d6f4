package dev.tilewright.gemm.kernel;

import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.Swizzle;
import dev.tilewright.model.problem.DataType;
import java.util.List;

/**
 * What a kernel moves at a time of one of its matrices, by TMA.
 *
 * @param columns elements along the dimension whose neighbours are neighbours in memory
 * @param rows elements along the other one
 */
public record TensorBox(DataType type, int columns, int rows, Swizzle swizzle) {

    /**
     * The tensor map of a matrix of {@code outer} rows of {@code inner} elements each.
     *
     * @param first elements of the buffer before it
     * @param promotionBytes that L2 fetches at once: 0 for no more than it must
     */
    Argument.TensorMap map(BufferRole role, long first, int inner, int outer, int promotionBytes) {
        return new Argument.TensorMap(
                role,
                first * type.bytes(),
                type,
                List.of((long) inner, (long) outer),
                List.of((long) inner * type.bytes()),
                List.of(columns, rows),
                swizzle,
                promotionBytes);
    }
}
