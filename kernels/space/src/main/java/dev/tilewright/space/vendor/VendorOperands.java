package dev.tilewright.space.vendor;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import java.util.Optional;

/**
 * A, B and D of one GEMM as the vendor's libraries see them: column by column. Our row-major D[M,N] is their N x M
 * matrix D', and D' = op(B') op(A').
 *
 * <pre>
 *   ours           theirs              op
 *   D  row-major   N x M, leading N
 *   B  K-major     K x N, leading K    transposed
 *   B  N-major     N x K, leading N    as it is
 *   A  K-major     K x M, leading K    as it is
 *   A  M-major     M x K, leading M    transposed
 * </pre>
 */
public record VendorOperands(Matrix a, Matrix b, Matrix d) {

    /**
     * A matrix of theirs.
     *
     * @param type {@code cudaDataType}
     * @param rows neighbours in memory, and the leading dimension: all are packed
     * @param transposed whether it is multiplied as its transpose
     */
    public record Matrix(int type, long rows, long columns, boolean transposed) {}

    /**
     * The operands of a problem of one GEMM.
     *
     * @throws IllegalArgumentException if the libraries do not multiply them, with the reason
     */
    public static VendorOperands of(Problem problem) {
        refusal(problem.types(), problem.major()).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        ProblemShape shape = problem.shape();
        int typeA = code(problem.types().a());
        int typeB = code(problem.types().b());
        return new VendorOperands(
                problem.major().a() == Major.K
                        ? new Matrix(typeA, shape.k(), shape.m(), false)
                        : new Matrix(typeA, shape.m(), shape.k(), true),
                problem.major().b() == Major.K
                        ? new Matrix(typeB, shape.k(), shape.n(), true)
                        : new Matrix(typeB, shape.n(), shape.k(), false),
                new Matrix(code(problem.types().d()), shape.n(), shape.m(), false));
    }

    /** Why the library does not multiply these types in these layouts, by its tables; empty if it does. */
    public static Optional<String> refusal(OperandTypes types, OperandMajors majors) {
        String given = "a = " + types.a() + ", b = " + types.b() + ", d = " + types.d();
        if (majors.d() != Major.N) {
            return Optional.of("major d = " + majors.d() + ": cublasLt is asked for a row-major D alone");
        }
        if (types.a().bytes() == 1 && types.b().bytes() == 1) {
            return types.a() == DataType.E5M2 && types.b() == DataType.E5M2
                    ? Optional.of("types " + given + ": cublasLt multiplies no e5m2 by e5m2")
                    : majors.equals(OperandMajors.DEFAULT)
                            ? Optional.empty()
                            : Optional.of("major a = " + majors.a() + ", b = " + majors.b()
                                    + ": cublasLt multiplies 8 bits K-major alone");
        }
        boolean stored = types.d() == types.a() || types.d() == DataType.F32;
        return types.a() == types.b() && types.a().bytes() == 2 && stored
                ? Optional.empty()
                : Optional.of("types " + given
                        + ": cublasLt multiplies bf16 or f16, both inputs of one type, and stores that type or f32");
    }

    /** Whether {@code cublasGemmEx} takes them too. */
    public boolean halves() {
        return a.type == code(DataType.BF16) || a.type == code(DataType.F16);
    }

    /** {@code CUDA_R_32F} and so on. */
    private static int code(DataType type) {
        return switch (type) {
            case F32 -> 0;
            case F16 -> 2;
            case BF16 -> 14;
            case E4M3 -> 28;
            case E5M2 -> 29;
        };
    }
}
