package dev.tilewright.launch;

import dev.tilewright.model.problem.Activation;
import java.util.Optional;

/** What must hold after the launch. */
public sealed interface Expectation {

    /**
     * D = activation(alpha * A * B + beta * C + bias), for each matrix of the batch. An element of D that is none of
     * its M x N, and what lies between its rows, must be as before.
     *
     * @param c as it was before the launch; may be the buffer of D
     */
    record Gemm(
            Operand a,
            Operand b,
            Operand d,
            Optional<Operand> c,
            double alpha,
            double beta,
            Optional<Bias> bias,
            Activation activation,
            int batch,
            int m,
            int n,
            int k,
            Tolerance tolerance)
            implements Expectation {

        /** What is done to the sums before they are rounded to D's type. */
        public Epilogue epilogue() {
            return new Epilogue(alpha, beta, c.isPresent(), bias.map(Bias::along), activation);
        }
    }

    /**
     * One number for each row or each column of D, the same for all matrices of a batch.
     *
     * @param buffer of one dimension
     */
    record Bias(String buffer, Along along) {}

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
