package dev.tilewright.launch.bundle;

import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.document.Node;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Scales;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The scales that a bundle takes, and how those of A and of B lie. */
record BundleScales(Scales kind, Lying a, Lying b) {

    static final BundleScales NONE = of(Scales.TENSOR);

    private static final int MOST_MULTIPLE = 1024;

    /**
     * How the scales of one operand lie.
     *
     * @param major the index along which the scales of a line lie
     * @param pitchMultiple floats of which the pitch from line to line is the least multiple
     */
    record Lying(Major major, int pitchMultiple) {}

    /** The elements that share a scale. */
    private record Shared(long rows, Optional<Long> k) {

        static Shared of(Scales kind, OperandRole role) {
            return switch (kind) {
                case TENSOR -> throw new IllegalArgumentException("no rows share the scale of a tensor");
                case ROW -> new Shared(1, Optional.empty());
                case BLOCK ->
                    new Shared(role == OperandRole.A ? 1 : Scales.BLOCK_N, Optional.of((long) Scales.BLOCK_K));
            };
        }

        @Override
        public String toString() {
            return "{rows: " + rows + k.map(along -> ", k: " + along).orElse("") + "}";
        }
    }

    private static BundleScales of(Scales kind) {
        return new BundleScales(kind, usual(kind, OperandRole.A), usual(kind, OperandRole.B));
    }

    private static Lying usual(Scales kind, OperandRole role) {
        return new Lying(kind.major(role), Scales.PITCH_MULTIPLE);
    }

    /** @throws DocumentException naming the value and the rule */
    static BundleScales read(Node node, OperandTypes types) {
        BundleScales read = node instanceof Node.Scalar
                ? of(kind(node))
                : each(node.mapping().only("a", "b"));
        read.kind.refusal(types).ifPresent(reason -> {
            throw node.at().wrong(reason);
        });
        return read;
    }

    private static Scales kind(Node node) {
        try {
            return Scales.parse(node.text());
        } catch (IllegalArgumentException unknown) {
            throw node.at().wrong(String.valueOf(unknown.getMessage()));
        }
    }

    private static BundleScales each(Node.Mapping fields) {
        Node a = fields.get("a");
        Node b = fields.get("b");
        Scales kind = kind(a, OperandRole.A);
        Scales other = kind(b, OperandRole.B);
        if (kind != other) {
            throw b.at().wrong("must be " + Shared.of(kind, OperandRole.B) + " beside a: "
                    + Shared.of(kind, OperandRole.A) + ", got " + Shared.of(other, OperandRole.B));
        }
        return new BundleScales(kind, lying(a.mapping(), kind, OperandRole.A), lying(b.mapping(), kind, OperandRole.B));
    }

    private static Scales kind(Node node, OperandRole role) {
        Node.Mapping fields = node.mapping().only("rows", "k", "major", "pitchMultiple");
        Shared shared = new Shared(
                fields.get("rows").integer(1, Integer.MAX_VALUE),
                fields.find("k").map(along -> along.integer(1, Integer.MAX_VALUE)));
        List<Scales> known = List.of(Scales.ROW, Scales.BLOCK);
        return known.stream()
                .filter(kind -> Shared.of(kind, role).equals(shared))
                .findFirst()
                .orElseThrow(() -> node.at()
                        .wrong("the elements of " + role + " that share a scale must be "
                                + Shared.of(Scales.ROW, role) + " or " + Shared.of(Scales.BLOCK, role) + ", got "
                                + shared));
    }

    private static Lying lying(Node.Mapping fields, Scales kind, OperandRole role) {
        if (kind == Scales.ROW) {
            for (String key : List.of("major", "pitchMultiple")) {
                fields.find(key).ifPresent(given -> {
                    throw given.at().wrong("is of scales with 'k': those of rows are a vector, got " + given.shown());
                });
            }
            return usual(kind, role);
        }
        List<Major> majors = List.of(role.rows(), Major.K);
        return new Lying(
                fields.find("major").map(given -> given.oneOf(majors)).orElse(kind.major(role)),
                fields.find("pitchMultiple")
                        .map(given -> given.small(1, MOST_MULTIPLE))
                        .orElse(Scales.PITCH_MULTIPLE));
    }

    Lying of(OperandRole role) {
        return switch (role) {
            case A -> a;
            case B -> b;
        };
    }

    /** The extents of the buffer of an operand without the batch, outermost first, as expressions. */
    List<String> shape(OperandRole role) {
        String rows = role.rows().toString();
        String blocks = "ceildiv(k, " + Scales.BLOCK_K + ")";
        return switch (kind) {
            case TENSOR -> List.of();
            case ROW -> List.of(rows);
            case BLOCK -> {
                String lines = role == OperandRole.A ? rows : "ceildiv(" + rows + ", " + Scales.BLOCK_N + ")";
                yield of(role).major == Major.K ? List.of(lines, blocks) : List.of(blocks, lines);
            }
        };
    }

    /** Floats from line to line, as an expression; empty where there is one line. */
    Optional<String> pitch(OperandRole role) {
        return kind == Scales.BLOCK
                ? Optional.of("roundup(" + shape(role).getLast() + ", " + of(role).pitchMultiple + ")")
                : Optional.empty();
    }

    /** As an expectation names how matrices of scales lie. */
    String layout(OperandRole role) {
        Major major = of(role).major;
        return (major == Major.K ? role.rows().toString() + major : Major.K.toString() + major)
                .toUpperCase(Locale.ROOT);
    }
}
