package dev.tilewright.gemm.launch;

import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import java.util.ArrayList;
import java.util.List;

/**
 * Offsets of the matrices of each GEMM of a problem in the buffers A, B, C and D, of its vector in that of the bias,
 * and of its scales in theirs: one behind the other, all groups in order, the whole batch of a group before the next
 * group. No gap is needed: rows are multiples of 16 bytes.
 *
 * @param gemms in that order
 */
public record OperandLayout(List<Gemm> gemms) {

    /**
     * One GEMM.
     *
     * @param a elements of A before its own
     * @param b elements of B before its own
     * @param d elements of D, and of C, before its own
     * @param bias elements of the bias before its own vector
     * @param scaleA floats of the scales of A before its own
     * @param scaleB floats of the scales of B before its own
     */
    public record Gemm(ProblemShape shape, long a, long b, long d, long bias, long scaleA, long scaleB) {

        /**
         * Elements of an operand before its own.
         *
         * @throws IllegalArgumentException if the buffer holds none of a GEMM's operands
         */
        public long first(BufferRole role) {
            return switch (role) {
                case A -> a;
                case B -> b;
                case D -> d;
                case C -> d;
                case BIAS -> bias;
                case SCALE_A -> scaleA;
                case SCALE_B -> scaleB;
                case COUNTER, WORKSPACE, ARRIVALS, TRACE, TILES, MAPS, OUTPUTS ->
                    throw new IllegalArgumentException("a GEMM has no operand in " + role);
            };
        }

        /** Elements of A up to the end of its own. */
        private long endA() {
            return a + (long) shape.m() * shape.k();
        }

        private long endB() {
            return b + (long) shape.n() * shape.k();
        }

        private long endD() {
            return d + (long) shape.m() * shape.n();
        }

        private long endBias(Epilogue epilogue) {
            return bias + epilogue.bias().map(shape::along).orElse(0);
        }

        private long endScales(Scales scales, OperandRole operand) {
            return first(BufferRole.scales(operand)) + scales.elements(operand, shape);
        }
    }

    public OperandLayout {
        gemms = List.copyOf(gemms);
    }

    /** The layout of a problem; of a plain GEMM it has one entry. */
    public static OperandLayout of(Problem problem) {
        List<Gemm> gemms = new ArrayList<>();
        for (ProblemShape shape : problem.groups()) {
            for (int repeat = 0; repeat < problem.batch(); repeat++) {
                gemms.add(
                        gemms.isEmpty()
                                ? new Gemm(shape, 0, 0, 0, 0, 0, 0)
                                : new Gemm(
                                        shape,
                                        gemms.getLast().endA(),
                                        gemms.getLast().endB(),
                                        gemms.getLast().endD(),
                                        gemms.getLast().endBias(problem.epilogue()),
                                        gemms.getLast().endScales(problem.scales(), OperandRole.A),
                                        gemms.getLast().endScales(problem.scales(), OperandRole.B)));
            }
        }
        return new OperandLayout(gemms);
    }

    /** Index of the GEMM to which an element of D belongs. */
    public int gemmOf(long element) {
        int index = gemms.size() - 1;
        while (gemms.get(index).d() > element) {
            index--;
        }
        return index;
    }

    /** Elements of all A. */
    public long elementsA() {
        return gemms.getLast().endA();
    }

    /** Elements of all B. */
    public long elementsB() {
        return gemms.getLast().endB();
    }

    /** Elements of the bias of an epilogue, all vectors together: 0 if there is none. */
    public long elementsOfBias(Epilogue epilogue) {
        return gemms.getLast().endBias(epilogue);
    }

    /** Floats of the scales of all A, or of all B: 0 where they are no buffer. */
    public long elementsOfScales(Scales scales, OperandRole operand) {
        return gemms.getLast().endScales(scales, operand);
    }

    /** Elements of all D. */
    public long elementsD() {
        return gemms.getLast().endD();
    }
}
