package dev.tilewright.space.vendor;

import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import java.util.Optional;

/**
 * The scales of inputs of 8 bits as cublasLt has them: f32 of a tensor, a row or a block, by its
 * {@code cublasLtMatmulMatrixScale_t}. Each lies as our scales do: {@link #VECTOR_128} along M, and {@link #BLOCK_128}
 * along K with a pitch that is a multiple of 4.
 *
 * @param a mode of our A, which is its second operand
 * @param b mode of our B, which is its first operand
 */
public record VendorScales(int a, int b) {

    /** {@code CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F}: one of the tensor, and what the library takes by itself. */
    public static final int SCALAR = 0;

    /** {@code CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F}: one of each row. */
    public static final int OUTER_VECTOR = 3;

    /** {@code CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F}: one of each 128 elements along K. */
    public static final int VECTOR_128 = 4;

    /** {@code CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F}: one of each 128 rows and 128 elements along K. */
    public static final int BLOCK_128 = 5;

    /** The version that has other scales than those of tensors, as {@code cublasLtGetVersion} says it. */
    public static final long FIRST_VERSION = 120_900;

    /** Its kernels with scales of blocks want multiples of this many rows of A and of B. */
    private static final int ROWS = 4;

    /** The scales of a problem; empty if its inputs have none. */
    public static Optional<VendorScales> of(Problem problem) {
        return problem.types().a().bytes() > 1
                ? Optional.empty()
                : Optional.of(
                        switch (problem.scales()) {
                            case TENSOR -> new VendorScales(SCALAR, SCALAR);
                            case ROW -> new VendorScales(OUTER_VECTOR, OUTER_VECTOR);
                            case BLOCK -> new VendorScales(VECTOR_128, BLOCK_128);
                        });
    }

    /**
     * Whether the library is asked for sums that stay in the tensor cores ({@code CUBLASLT_MATMUL_DESC_FAST_ACCUM}), as
     * ours do. Sums with scales of blocks are added up outside them, by ours and by the library, which refuses to be
     * asked for others there.
     */
    public boolean fast() {
        return b != BLOCK_128;
    }

    /** Why the library has no kernel with the scales of a problem; empty if it has. */
    public static Optional<String> refusal(Problem problem) {
        if (problem.scales() == Scales.TENSOR) {
            return Optional.empty();
        }
        String given = "scales = " + problem.scales() + ": ";
        OperandTypes types = problem.types();
        if (types.d().bytes() == 1) {
            return Optional.of(given + "cublasLt stores such products in bf16, f16 or f32, got d = " + types.d());
        }
        if (problem.groups().size() * problem.batch() > 1) {
            return Optional.of(given + "cublasLt is asked for one GEMM at once, got "
                    + problem.groups().size() * problem.batch());
        }
        ProblemShape shape = problem.shape();
        return problem.scales() == Scales.BLOCK && (shape.m() % ROWS != 0 || shape.n() % ROWS != 0)
                ? Optional.of(given + "cublasLt multiplies an M and an N that are multiples of " + ROWS + " alone, got "
                        + shape)
                : Optional.empty();
    }
}
