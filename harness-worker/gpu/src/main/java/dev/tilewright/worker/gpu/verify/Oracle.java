package dev.tilewright.worker.gpu.verify;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import java.nio.ByteBuffer;

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

    /** Size of what a comparison writes on the device. */
    long comparisonBytes();

    /**
     * Compares an output of the problem's type with its reference, every element, and does not wait.
     *
     * @param result where it writes what it finds
     */
    void compare(Problem problem, ProblemShape shape, long output, long reference, long magnitude, long result);

    /** What a comparison found, by the bytes that it wrote, from the position of the buffer on. */
    Comparison comparison(ByteBuffer written);

    @Override
    void close();
}
