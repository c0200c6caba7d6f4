package dev.tilewright.worker.verify;

import dev.tilewright.model.problem.ProblemShape;

/**
 * The kernels that make and check data on the device. All work goes into the GPU's stream; addresses are on the device.
 */
public interface Oracle extends AutoCloseable {

    /** Fills with random normal bf16 numbers that the seed alone decides. */
    void fillNormal(long address, long elements, long seed);

    /**
     * The reference: D and sum|a b|, both f32, M x N, row-major, with f32 accumulation and neither wgmma nor TMA.
     *
     * @param a M x K bf16, K-major
     * @param b N x K bf16, K-major
     */
    void reference(ProblemShape shape, long a, long b, long reference, long magnitude);

    /** Compares a bf16 output with its reference, every element; waits for the result. */
    Comparison compare(ProblemShape shape, long output, long reference, long magnitude);

    @Override
    void close();
}
