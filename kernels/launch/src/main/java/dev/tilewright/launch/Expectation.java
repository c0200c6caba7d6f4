package dev.tilewright.launch;

import dev.tilewright.model.problem.Epilogue;
import java.util.Optional;

/** An expectation that must hold after the launch. */
public sealed interface Expectation {

    /**
     * D is the epilogue of A * B, for each matrix of the batch. An element of D that is none of its M x N, and what
     * lies between its rows, must be as before.
     *
     * @param c what the epilogue adds, as it was before the launch; may be the buffer of D
     * @param bias the buffer of the numbers that the epilogue adds to rows or columns: of one dimension where all
     *     matrices of a batch have the same, of two with the batch first
     */
    record Gemm(
            Operand a,
            Operand b,
            Operand d,
            Optional<Operand> c,
            Optional<String> bias,
            Epilogue epilogue,
            int batch,
            int m,
            int n,
            int k,
            Tolerance tolerance)
            implements Expectation {}

    /** A buffer holds these elements. */
    record Content(String buffer, Fill.Packed content, Tolerance tolerance) implements Expectation {}

    /** A buffer holds every byte that it held before. */
    record Unchanged(String buffer) implements Expectation {}

    /**
     * A matrix, or a batch of them, in the last two dimensions of a buffer.
     *
     * @param transposed whether its rows are the buffer's columns
     */
    record Operand(String buffer, boolean transposed) {}
}
