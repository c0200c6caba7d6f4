package dev.tilewright.launch;

import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Scales;
import java.util.Optional;

/** An expectation that must hold after the launch. */
public sealed interface Expectation {

    /**
     * D is the epilogue of A * B, with their scales, for each matrix of the batch. An element of D that is none of its
     * M x N, and what lies between its rows, must be as before.
     *
     * @param c what the epilogue adds, as it was before the launch; may be the buffer of D
     * @param bias the buffer of the numbers that the epilogue adds to rows or columns: of one dimension where all
     *     matrices of a batch have the same, of two with the batch first
     * @param scales of A and B, where they are buffers
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
            Tolerance tolerance,
            Optional<ScaleBuffers> scales)
            implements Expectation {

        /** Of operands whose scales are no buffers. */
        public Gemm(
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
                Tolerance tolerance) {
            this(a, b, d, c, bias, epilogue, batch, m, n, k, tolerance, Optional.empty());
        }

        /** Which elements of A and of B share a scale. */
        public Scales scaled() {
            return scales.map(ScaleBuffers::kind).orElse(Scales.TENSOR);
        }

        /** All steps between the sums of the kernel and D: scales of rows, then those of the epilogue. */
        public Epilogue steps() {
            return epilogue.behind(scaled());
        }
    }

    /**
     * Buffers with the scales of A and of B, f32, the batch first if each matrix has its own. Of rows they are vectors;
     * of blocks matrices whose lines are those of {@link Scales#lines}.
     */
    record ScaleBuffers(Scales kind, String a, String b) {}

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
