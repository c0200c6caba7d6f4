package dev.tilewright.worker.verify;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;

/**
 * The kernels that make and check data on the device. All work goes into the GPU's stream; addresses are on the device.
 */
public interface Oracle extends AutoCloseable {

    /** Fills with random normal numbers of an input's type that the seed alone decides. */
    void fillNormal(DataType type, long address, long elements, long seed);

    /**
     * The reference: D and sum|a b|, both f32, M x N, row-major, with f32 accumulation and neither wgmma nor TMA.
     *
     * @param problem whose types and layouts A and B have
     * @param a M x K
     * @param b N x K
     */
    void reference(Problem problem, ProblemShape shape, long a, long b, long reference, long magnitude);

    /** Compares an output of the problem's type with its reference, every element; waits for the result. */
    Comparison compare(Problem problem, ProblemShape shape, long output, long reference, long magnitude);

    @Override
    void close();
}
