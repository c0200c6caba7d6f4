package dev.tilewright.proof.compare;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation.ScaleBuffers;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.Scales;
import java.util.Map;

/** The scales of blocks of A and of B in the bytes of their buffers. */
record BlockScales(Lines a, Lines b) {

    /**
     * The lines of one operand.
     *
     * @param several whether each matrix of a batch has its own
     * @param transposed whether the buffer's lines lie along {@link Scales#lines}
     */
    private record Lines(BufferDescription buffer, byte[] content, boolean several, boolean transposed) {

        static Lines of(ScaleBuffers scales, OperandRole role, LaunchDescription launch, Map<String, byte[]> contents) {
            BufferDescription buffer = launch.buffer(scales.of(role));
            return new Lines(buffer, contents.get(buffer.name()), buffer.shape().size() > 2, scales.transposed(role));
        }

        double at(int matrix, int line, int position) {
            return transposed ? lying(matrix, position, line) : lying(matrix, line, position);
        }

        private double lying(int matrix, int line, int position) {
            int lines = Math.toIntExact(buffer.shape().get(buffer.shape().size() - 2));
            int row = (several ? matrix * lines : 0) + line;
            return buffer.type().decode(Elements.get(content, buffer.offset(row, position), buffer.type()));
        }
    }

    static BlockScales of(ScaleBuffers scales, LaunchDescription launch, Map<String, byte[]> contents) {
        return new BlockScales(
                Lines.of(scales, OperandRole.A, launch, contents), Lines.of(scales, OperandRole.B, launch, contents));
    }

    /** The scale of a row of A times that of a row of B, for a block of K. */
    double at(int matrix, int m, int n, int block) {
        return a.at(matrix, block, m) * b.at(matrix, n / Scales.BLOCK_N, block);
    }
}
