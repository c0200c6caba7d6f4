package dev.tilewright.worker.gpu.runner;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The scales of an operand of a launch, which may lie otherwise than those of the operands on the device: these lie as
 * {@link Scales} says. A copy that lies as the launch asks is written once, ahead of all launches, as a user of such a
 * kernel lays the scales of weights.
 *
 * @param buffer of the launch
 */
record LaidScales(BufferDescription buffer, Expectation.Gemm gemm, OperandRole role) {

    static LaidScales of(LaunchDescription launch, Expectation.Gemm gemm, OperandRole role) {
        return new LaidScales(launch.buffer(gemm.scales().orElseThrow().of(role)), gemm, role);
    }

    /** The scales of A and of B; none where they are no buffers. */
    static Stream<LaidScales> of(LaunchDescription launch, Expectation.Gemm gemm) {
        return gemm.scales().isPresent()
                ? Arrays.stream(OperandRole.values()).map(role -> of(launch, gemm, role))
                : Stream.empty();
    }

    private Scales kind() {
        return gemm.scaled();
    }

    private ProblemShape shape() {
        return new ProblemShape(gemm.m(), gemm.n(), gemm.k());
    }

    private boolean transposed() {
        return gemm.scales().orElseThrow().transposed(role);
    }

    /** Whether the scales of the operands are what the launch asks for. */
    boolean isAsOperands() {
        return !transposed() && buffer.rowStride() == kind().pitch(role, shape());
    }

    /** Bytes of the scales of the operands. */
    long bytesOfOperands() {
        return gemm.batch() * kind().elements(role, shape()) * Float.BYTES;
    }

    /** The content of the buffer; the floats between lines are NaN, for nobody may read them. */
    byte[] laid(byte[] ofOperands) {
        byte[] laid = new byte[Math.toIntExact(buffer.bytes())];
        for (int at = 0; at < laid.length; at += Float.BYTES) {
            Elements.put(laid, at, buffer.type(), buffer.type().poison());
        }
        int pitch = kind().pitch(role, shape());
        int lines = kind().lines(role, shape());
        int extent = kind().extent(role, shape());
        for (int matrix = 0; matrix < gemm.batch(); matrix++) {
            for (int line = 0; line < lines; line++) {
                for (int i = 0; i < extent; i++) {
                    int from = ((matrix * lines + line) * pitch + i) * Float.BYTES;
                    int to = transposed()
                            ? buffer.offset(matrix * extent + i, line)
                            : buffer.offset(matrix * lines + line, i);
                    System.arraycopy(ofOperands, from, laid, to, Float.BYTES);
                }
            }
        }
        return laid;
    }
}
