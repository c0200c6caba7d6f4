package dev.tilewright.launch.reader;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation.Operand;
import dev.tilewright.launch.Expectation.ScaleBuffers;
import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.document.Node;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads the buffers with the scales of A and of B, and how they lie. */
record ScalesReader(Map<String, BufferDescription> buffers) {

    /** @throws DocumentException naming the value and the rule if the operands have no such scales */
    ScaleBuffers read(Node node, Operand a, Operand b, ProblemShape shape, int batch) {
        Node.Mapping fields = node.mapping().only("kind", "a", "b");
        Scales kind = kind(fields.get("kind"));
        for (Operand operand : List.of(a, b)) {
            ElementType type = buffers.get(operand.buffer()).type();
            if (type.bytes() != 1 || !type.isFloat()) {
                throw node.at()
                        .wrong("are of inputs of 8 bits, e4m3 and e5m2, got buffer " + operand.buffer() + " of "
                                + type);
            }
        }
        Major majorA = major(fields.get("a"), kind, OperandRole.A);
        Major majorB = major(fields.get("b"), kind, OperandRole.B);
        return new ScaleBuffers(
                kind,
                buffer(fields.get("a"), kind, OperandRole.A, majorA, shape, batch),
                buffer(fields.get("b"), kind, OperandRole.B, majorB, shape, batch),
                majorA,
                majorB);
    }

    /** The last letter of the layout: the index along which the scales of a line lie. */
    private static Major major(Node node, Scales kind, OperandRole role) {
        if (!(node instanceof Node.Mapping mapping)) {
            return kind.major(role);
        }
        return mapping.only("buffer", "layout")
                .find("layout")
                .map(layout -> {
                    if (kind != Scales.BLOCK) {
                        throw layout.at()
                                .wrong("is of scales of blocks: those of rows are a vector, got " + layout.shown());
                    }
                    List<String> layouts = role == OperandRole.A ? List.of("KM", "MK") : List.of("NK", "KN");
                    return Major.parse(layout.oneOf(layouts).substring(1).toLowerCase(Locale.ROOT));
                })
                .orElse(kind.major(role));
    }

    private static Scales kind(Node node) {
        for (Scales kind : List.of(Scales.ROW, Scales.BLOCK)) {
            if (kind.toString().equals(node.text())) {
                return kind;
            }
        }
        throw node.at().wrong("must be row or block, got " + node.shown());
    }

    private String buffer(Node node, Scales kind, OperandRole role, Major major, ProblemShape shape, int batch) {
        Node named = node instanceof Node.Mapping mapping ? mapping.get("buffer") : node;
        BufferDescription buffer = BufferReader.named(named, buffers);
        List<Long> wanted = new ArrayList<>();
        wanted.add((long) kind.extent(role, shape));
        if (kind == Scales.BLOCK) {
            wanted.add(major == kind.major(role) ? 0 : 1, (long) kind.lines(role, shape));
        }
        if (batch > 1 || buffer.shape().size() > wanted.size()) {
            wanted.addFirst((long) batch);
        }
        if (buffer.type() != ElementType.F32 || !buffer.shape().equals(wanted)) {
            throw node.at()
                    .wrong("must be a buffer of f32" + wanted + ", the scales of " + role + " for " + kind + ", got "
                            + buffer.name() + " " + buffer.type() + buffer.shape());
        }
        return buffer.name();
    }
}
