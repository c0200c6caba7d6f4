package dev.tilewright.launch.program;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import dev.tilewright.model.problem.Scales;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The operands of a program in C: what they are, in a comment, and the members of their structure.
 *
 * @param launch with the least M of the program
 * @param most the launch with the most; the same where M is fixed
 */
record COperands(LaunchDescription launch, LaunchDescription most, ProgramBuffers buffers) {

    static COperands of(LaunchDescription launch, LaunchDescription most) {
        return new COperands(launch, most, ProgramBuffers.of(launch));
    }

    /** Type, extents and layout of each, as lines of a comment. */
    String notes() {
        return ProgramBuffers.products(launch).stream()
                .map(product -> " *   " + note(product.a(), "M x K") + ";\n *   " + note(product.b(), "N x K")
                        + ";\n"
                        + ProgramBuffers.added(product).stream()
                                .map(added -> " *   " + note(added) + ";\n")
                                .collect(Collectors.joining())
                        + " *   "
                        + note(product.d(), "M x N") + ": " + word(product.d()) + " = "
                        + (scales() ? "scale * " : "")
                        + product.scales()
                                .map(scales -> word(scales.a()) + " * " + word(scales.b()) + " * ")
                                .orElse("")
                        + word(product.a()) + " * transposed " + word(product.b())
                        + (product.epilogue().isNone() ? "" : ", then " + product.epilogue())
                        + ", M = " + rows(product) + ", N = " + product.n() + ", K = " + product.k() + ".\n")
                .collect(Collectors.joining())
                .stripTrailing();
    }

    private String rows(Expectation.Gemm product) {
        int larger = ProgramBuffers.products(most)
                .get(ProgramBuffers.products(launch).indexOf(product))
                .m();
        return larger == product.m() ? String.valueOf(larger) : product.m() + " to " + larger;
    }

    /** The direction in which elements are contiguous, in words. */
    private String note(Expectation.Operand operand, String extents) {
        BufferDescription buffer = launch.buffer(operand.buffer());
        return word(operand) + ": " + buffer.type() + ", " + extents + ", "
                + (operand.transposed() ? "column by column" : "row by row")
                + (buffer.rowStride() == buffer.columns()
                        ? ""
                        : ", " + buffer.rowStride() + " elements from one to the next")
                + (buffer.shape().size() == 3
                        ? ", " + buffer.shape().getFirst() + " of them one behind the other"
                        : "");
    }

    private String note(ProgramBuffers.Added added) {
        BufferDescription buffer = launch.buffer(added.buffer());
        BufferDescription larger = most.buffer(added.buffer());
        return ProgramBuffers.word(buffer) + ": " + buffer.type() + " of "
                + IntStream.range(0, buffer.shape().size())
                        .mapToObj(i ->
                                extent(buffer.shape().get(i), larger.shape().get(i)))
                        .collect(Collectors.joining(" x "))
                + (added.transposed() ? ", column by column" : "")
                + (buffer.rowStride() == buffer.columns() && larger.rowStride() == larger.columns()
                        ? ""
                        : ", " + extent(buffer.rowStride(), larger.rowStride()) + " from one line to the next"
                                + (buffer.rowStride() == larger.rowStride() ? "" : ", in multiples of 16 bytes"))
                + switch (added.word()) {
                    case ProgramBuffers.SCALE_A -> ", one for each " + (ofBlocks(buffer) ? "1 x 128" : "row") + " of A";
                    case ProgramBuffers.SCALE_B ->
                        ", one for each " + (ofBlocks(buffer) ? "128 x 128" : "row") + " of B";
                    default -> ", which is added";
                };
    }

    /** An extent in words; one that follows M is M. */
    private static String extent(long least, long most) {
        return least == most ? String.valueOf(least) : "M";
    }

    private boolean ofBlocks(BufferDescription scales) {
        return ProgramBuffers.products(launch).stream()
                .flatMap(product -> product.scales().stream())
                .anyMatch(each -> each.kind() == Scales.BLOCK
                        && List.of(each.a(), each.b()).contains(scales.name()));
    }

    private String word(String buffer) {
        return ProgramBuffers.word(launch.buffer(buffer));
    }

    private String word(Expectation.Operand operand) {
        return word(operand.buffer());
    }

    /** Whether the scale of the inputs is one of them. */
    boolean scales() {
        return ProgramBuffers.passes(launch, ScalarRole.SCALE);
    }

    /** The members of their structure. */
    String members() {
        return buffers.operands().stream()
                        .map(buffer -> "    uint64_t " + ProgramBuffers.word(buffer) + ";\n")
                        .collect(Collectors.joining())
                + (scales() ? "    float scale; /* the product of the scales of the inputs, 1 for none */\n" : "");
    }
}
