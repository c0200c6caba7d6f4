package dev.tilewright.launch.bundle;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.document.Node;
import dev.tilewright.launch.document.Position;
import dev.tilewright.launch.expression.Bindings;
import dev.tilewright.launch.reader.FileSource;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.launch.reader.ReadLimits;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandRole;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The launch of a bundle with names for numbers. The buffers A, B, D, SCALE_A, SCALE_B, C and BIAS of the problem, and
 * what is expected of D, need not be written: they follow from the problem, its scales and the epilogue.
 *
 * @param written what stands in the file
 */
record LaunchTemplate(
        Node.Mapping written,
        BundleProblem problem,
        BundleScales scales,
        BundleEpilogue epilogue,
        Optional<Node> tolerance) {

    private static final String BUFFERS = "buffers";
    private static final String EXPECT = "expect";
    private static final String GEMM = "gemm";

    /** Sums that are kept in f16 have 13 bits fewer than those in f32. */
    private static final String NARROW_C = "8192";

    LaunchDescription in(Bindings scope, FileSource files) {
        if (problem.only().isPresent()) {
            return LaunchReader.read(written, files, ReadLimits.DESCRIBED);
        }
        Map<String, Node> entries = new LinkedHashMap<>(written.entries());
        entries.put(BUFFERS, buffers());
        entries.put(EXPECT, expected());
        return LaunchReader.read(new Node.Mapping(written.at(), entries).within(scope), files, ReadLimits.DESCRIBED);
    }

    /** The same launch with what a helper program says of it. */
    LaunchTemplate with(Node.Mapping said) {
        Map<String, Node> entries = new LinkedHashMap<>(written.entries());
        entries.putAll(said.entries());
        return new LaunchTemplate(new Node.Mapping(written.at(), entries), problem, scales, epilogue, tolerance);
    }

    private Node buffers() {
        Map<String, Node> buffers = new LinkedHashMap<>();
        buffers.put("A", matrix(problem.types().a(), shape(problem.majors().a(), "m", "k", Major.K), "normal"));
        buffers.put("B", matrix(problem.types().b(), shape(problem.majors().b(), "n", "k", Major.K), "normal"));
        scaled().forEach(role -> buffers.put(scaleName(role), scaleBuffer(role)));
        List<Node> outputs = shape(problem.majors().d(), "m", "n", Major.N);
        epilogue.c().ifPresent(type -> buffers.put("C", buffer(type, outputs, "normal")));
        epilogue.bias().ifPresent(type -> {
            Node along = text(epilogue.steps().bias().orElseThrow().toString());
            buffers.put("BIAS", buffer(type, List.of(along), "normal"));
        });
        buffers.put("D", matrix(problem.types().d(), outputs, "poison"));
        written.find(BUFFERS).ifPresent(node -> buffers.putAll(node.mapping().entries()));
        return new Node.Mapping(at(), buffers);
    }

    /** The inputs that have a buffer of scales. */
    private List<OperandRole> scaled() {
        return scales.kind().areBuffers() ? List.of(OperandRole.values()) : List.of();
    }

    private static String scaleName(OperandRole role) {
        return "SCALE_" + role;
    }

    private Node scaleBuffer(OperandRole role) {
        Node shape = new Node.Items(at(), shape(scales.shape(role)));
        return scales.pitch(role)
                .map(pitch -> mapping(
                        "dtype", text("f32"), "shape", shape, "rowStride", text(pitch), "init", text("logUniform")))
                .orElseGet(() -> mapping("dtype", text("f32"), "shape", shape, "init", text("logUniform")));
    }

    private Node scaleOperand(OperandRole role) {
        return scales.pitch(role).isPresent() ? operand(scaleName(role), scales.layout(role)) : text(scaleName(role));
    }

    private List<Node> shape(Major major, String rows, String columns, Major plain) {
        return shape(major == plain ? List.of(rows, columns) : List.of(columns, rows));
    }

    private List<Node> shape(List<String> names) {
        return Stream.concat(problem.batched() ? Stream.of("batch") : Stream.empty(), names.stream())
                .map(this::text)
                .toList();
    }

    private Node matrix(DataType type, List<Node> shape, String init) {
        return buffer(text(type.toString()), shape, init);
    }

    private Node buffer(Node type, List<Node> shape, String init) {
        return mapping("dtype", type, "shape", new Node.Items(at(), shape), "init", text(init));
    }

    private Node expected() {
        List<Node> all = new ArrayList<>();
        Map<String, Node> gemm = new LinkedHashMap<>();
        gemm.put("a", operand("A", problem.majors().a() == Major.K ? "MK" : "KM"));
        gemm.put("b", operand("B", problem.majors().b() == Major.K ? "NK" : "KN"));
        String output = problem.majors().d() == Major.N ? "MN" : "NM";
        gemm.put("d", operand("D", output));
        if (scales.kind().areBuffers()) {
            gemm.put(
                    "scales",
                    mapping(
                            "kind",
                            text(scales.kind().toString()),
                            "a",
                            scaleOperand(OperandRole.A),
                            "b",
                            scaleOperand(OperandRole.B)));
        }
        gemm.put("epilogue", text(epilogue.steps().toString()));
        epilogue.c().ifPresent(_ -> gemm.put("c", operand("C", output)));
        epilogue.bias().ifPresent(_ -> gemm.put("bias", text("BIAS")));
        List.of("m", "n", "k").forEach(extent -> gemm.put(extent, text(extent)));
        tolerance.or(this::usualTolerance).ifPresent(node -> gemm.put("tolerance", node));
        all.add(mapping(GEMM, new Node.Mapping(at(), gemm)));
        Stream.of("A", "B").forEach(input -> all.add(mapping("unchanged", text(input))));
        scaled().forEach(role -> all.add(mapping("unchanged", text(scaleName(role)))));
        epilogue.c().ifPresent(_ -> all.add(mapping("unchanged", text("C"))));
        epilogue.bias().ifPresent(_ -> all.add(mapping("unchanged", text("BIAS"))));
        written.find(EXPECT).map(Node::items).ifPresent(all::addAll);
        return new Node.Items(at(), all);
    }

    private Optional<Node> usualTolerance() {
        if (problem.accumulator() != DataType.F16) {
            return Optional.empty();
        }
        Node c = new Node.Scalar(at(), Node.Kind.NUMBER, NARROW_C);
        return Optional.of(mapping("bound", mapping("c", c)));
    }

    private Node operand(String buffer, String layout) {
        return mapping("buffer", text(buffer), "layout", text(layout));
    }

    private Node text(String text) {
        return new Node.Scalar(at(), Node.Kind.TEXT, text);
    }

    private Node.Mapping mapping(Object... keysAndValues) {
        Map<String, Node> entries = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            entries.put((String) keysAndValues[i], (Node) keysAndValues[i + 1]);
        }
        return new Node.Mapping(at(), entries);
    }

    private Position at() {
        return written.at();
    }
}
