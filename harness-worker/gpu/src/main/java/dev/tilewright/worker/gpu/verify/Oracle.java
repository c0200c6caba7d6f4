package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.oracle.Allowance;
import dev.tilewright.gemm.oracle.EpilogueKernel;
import dev.tilewright.gemm.oracle.ReferenceGemmKernel;
import dev.tilewright.gemm.oracle.SumError.Signs;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The kernels that make and check data on the device. All work goes into the GPU's stream; addresses are on the device.
 */
public interface Oracle extends AutoCloseable {

    /** Fills with random normal numbers of an input's type that the seed alone decides, or with their magnitudes. */
    void fillNormal(DataType type, Signs signs, long address, long elements, long seed);

    /**
     * The reference: D and sum|a b|, both f32, M x N, as D lies, with f32 accumulation and neither wgmma nor TMA.
     *
     * @param problem whose types and layouts the operands have
     * @param a M x K
     * @param b N x K
     * @param scales of blocks, if they have such
     */
    void reference(
            Problem problem,
            ProblemShape shape,
            long a,
            long b,
            Optional<ReferenceGemmKernel.BlockScales> scales,
            long reference,
            long magnitude);

    /**
     * An epilogue applied to sums and to their magnitudes: values, and the allowance of each.
     *
     * @param lines of D as it lies
     */
    void epilogue(
            EpilogueKernel.Form form, EpilogueKernel.Addresses at, EpilogueKernel.Lines lines, Allowance allowance);

    /** Waits for the checksum of some bytes. */
    long checksum(long address, long bytes);

    /**
     * Puts the checksums of what is to stay as it is into the stream.
     *
     * @param results where it writes 8 bytes for each
     */
    void checksums(List<Reference.Kept> kept, long results);

    /** Size of what a comparison writes on the device. */
    long comparisonBytes();

    /**
     * Compares elements of an output with their values, and does not wait.
     *
     * @param relative of a value it may be off
     * @param scale of its allowance it may be off besides
     * @param result where it writes what it finds
     */
    void compare(
            DataType type,
            long elements,
            long output,
            long values,
            long allowances,
            double relative,
            double scale,
            long result);

    /** Result of a comparison, from the bytes that it wrote, from the position of the buffer on. */
    ElementErrors comparison(ByteBuffer written);

    @Override
    void close();
}
