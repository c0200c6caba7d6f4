package dev.tilewright.launch;

import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandRole;
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
     * of blocks matrices.
     *
     * @param majorA the index along which the scales of a line of A lie
     * @param majorB the same of B
     */
    record ScaleBuffers(Scales kind, String a, String b, Major majorA, Major majorB) {

        /** Scales whose lines are those of {@link Scales#lines}. */
        public ScaleBuffers(Scales kind, String a, String b) {
            this(kind, a, b, kind.major(OperandRole.A), kind.major(OperandRole.B));
        }

        /** The buffer with the scales of an operand. */
        public String of(OperandRole role) {
            return switch (role) {
                case A -> a;
                case B -> b;
            };
        }

        /** Whether the lines of an operand are what lies along {@link Scales#lines}. */
        public boolean transposed(OperandRole role) {
            return switch (role) {
                case A -> majorA != kind.major(role);
                case B -> majorB != kind.major(role);
            };
        }
    }

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
