package dev.tilewright.launch.reader;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Expectation.Operand;
import dev.tilewright.launch.Expectation.ScaleBuffers;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.Tolerance;
import dev.tilewright.launch.document.Node;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.ProblemShape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads what must hold after a launch. */
final class ExpectationReader {
    private final Map<String, BufferDescription> buffers;
    private final DataFiles files;

    ExpectationReader(Map<String, BufferDescription> buffers, DataFiles files) {
        this.buffers = buffers;
        this.files = files;
    }

    List<Expectation> read(Node node, Declared declared) {
        List<Node> items = node.items();
        if (items.isEmpty()) {
            throw node.at().wrong("must expect something: a check that compares nothing proves nothing");
        }
        return declared.items(items, this::expectation);
    }

    private Expectation expectation(Node item) {
        Variant variant = Variant.of(item);
        return switch (variant.name()) {
            case "gemm" -> gemm(variant.needed().mapping());
            case "values" -> {
                Node.Mapping fields = variant.needed().mapping().only("buffer", "values", "tolerance");
                BufferDescription buffer = buffer(fields.get("buffer"));
                yield content(fields, buffer, files.values(fields.get("values"), buffer.type(), buffer.shape()));
            }
            case "file" -> {
                Node.Mapping fields = variant.needed().mapping().only("buffer", "file", "tolerance");
                BufferDescription buffer = buffer(fields.get("buffer"));
                yield content(fields, buffer, files.file(fields.get("file"), buffer.type(), buffer.shape()));
            }
            case "unchanged" ->
                new Expectation.Unchanged(buffer(variant.needed()).name());
            default -> throw variant.unknown("gemm", "values", "file", "unchanged");
        };
    }

    private static Expectation content(Node.Mapping fields, BufferDescription buffer, Fill.Packed content) {
        Tolerance tolerance = fields.find("tolerance")
                .map(node -> tolerance(node, buffer.type(), false))
                .orElse(new Tolerance.Exact());
        return new Expectation.Content(buffer.name(), content, tolerance);
    }

    private Expectation gemm(Node.Mapping node) {
        node.only("a", "b", "d", "scales", "c", "bias", "epilogue", "m", "n", "k", "tolerance");
        Operand a = operand(node.get("a"), "MK", "KM");
        Operand b = operand(node.get("b"), "NK", "KN");
        Operand d = operand(node.get("d"), "MN", "NM");
        Optional<Operand> c = node.find("c").map(n -> operand(n, "MN", "NM"));
        Epilogue epilogue = node.find("epilogue").map(EpilogueText::read).orElse(Epilogue.NONE);
        EpilogueText.requireBeside(node, "c", "beta", epilogue.addsC());
        EpilogueText.requireBeside(node, "bias", "bias", epilogue.bias().isPresent());
        int batch = batch(d);
        int m = extent(node, "m", node.get("a"), rows(a), node.get("d"), rows(d));
        int n = extent(node, "n", node.get("b"), rows(b), node.get("d"), columns(d));
        int k = extent(node, "k", node.get("a"), columns(a), node.get("b"), columns(b));
        for (String key : List.of("a", "b", "c")) {
            node.find(key).ifPresent(operand -> {
                Operand o = operand(operand, "MK", "KM", "NK", "KN", "MN", "NM");
                if (batch(o) != batch && batch(o) != 1) {
                    throw operand.at().wrong("must have a batch of 1 or " + batch + " as 'd', got " + batch(o));
                }
            });
        }
        c.ifPresent(o -> {
            if (rows(o) < m || columns(o) < n) {
                throw node.get("c")
                        .at()
                        .wrong("must have at least " + m + "x" + n + " elements, got " + rows(o) + "x" + columns(o));
            }
        });
        Optional<String> bias =
                node.find("bias").map(given -> bias(given, epilogue.bias().orElseThrow() == Major.M ? m : n, batch));
        Optional<ScaleBuffers> scales = node.find("scales")
                .map(given -> new ScalesReader(buffers).read(given, a, b, new ProblemShape(m, n, k), batch));
        Stream<String> inputs = Stream.of(
                        Stream.of(a.buffer(), b.buffer()),
                        c.stream().map(Operand::buffer),
                        bias.stream(),
                        scales.stream().flatMap(each -> Stream.of(each.a(), each.b())))
                .flatMap(each -> each);
        inputs.forEach(input -> {
            Fill fill = buffers.get(input).fill();
            if (fill instanceof Fill.Poison || fill instanceof Fill.Uninitialised) {
                throw node.at().wrong("needs operands with a content, but 'init' of buffer " + input + " is " + fill);
            }
        });
        ElementType type = buffers.get(d.buffer()).type();
        Tolerance tolerance = node.find("tolerance")
                .map(t -> tolerance(t, type, true))
                .orElseGet(() -> type.isFloat() ? Tolerance.Bound.of(type) : new Tolerance.Exact());
        return new Expectation.Gemm(a, b, d, c, bias, epilogue, batch, m, n, k, tolerance, scales);
    }

    private String bias(Node node, int wanted, int batch) {
        BufferDescription buffer = buffer(node);
        boolean vectors = buffer.shape().size() == 1
                || buffer.shape().size() == 2 && buffer.shape().getFirst() == batch;
        if (!buffer.type().isFloat() || !vectors || buffer.columns() < wanted) {
            throw node.at()
                    .wrong("must be a buffer of one dimension with at least " + wanted + " floats, or of two with the"
                            + " batch of " + batch + " first, got " + buffer.name() + " " + buffer.type()
                            + buffer.shape());
        }
        return buffer.name();
    }

    /** A buffer's name, which has the first of the layouts; or a mapping with one of them. */
    private Operand operand(Node node, String... layouts) {
        if (node instanceof Node.Scalar) {
            return matrix(node, buffer(node), false);
        }
        Node.Mapping fields = node.mapping().only("buffer", "layout");
        String layout = fields.find("layout").map(Node::text).orElse(layouts[0]);
        int index = List.of(layouts).indexOf(layout);
        if (index < 0) {
            throw fields.get("layout")
                    .at()
                    .wrong("must be one of " + String.join(", ", layouts) + ", got '" + layout + "'");
        }
        return matrix(node, buffer(fields.get("buffer")), index % 2 == 1);
    }

    private static Operand matrix(Node node, BufferDescription buffer, boolean transposed) {
        int rank = buffer.shape().size();
        if (rank != 2 && rank != 3) {
            throw node.at()
                    .wrong("must be a buffer of 2 dimensions, or 3 with the batch first, got " + buffer.name() + " of "
                            + buffer.shape());
        }
        return new Operand(buffer.name(), transposed);
    }

    private BufferDescription buffer(Node node) {
        BufferDescription buffer = BufferReader.named(node, buffers);
        if (buffer.fill() instanceof Fill.Fields) {
            throw node.at()
                    .wrong("must be a buffer of elements, got " + buffer.name()
                            + ", whose fields may be addresses that only a launch knows");
        }
        return buffer;
    }

    private List<Long> shape(Operand operand) {
        return buffers.get(operand.buffer()).shape();
    }

    private int batch(Operand operand) {
        return shape(operand).size() == 3 ? Math.toIntExact(shape(operand).getFirst()) : 1;
    }

    private long rows(Operand operand) {
        List<Long> shape = shape(operand);
        return operand.transposed() ? shape.getLast() : shape.get(shape.size() - 2);
    }

    private long columns(Operand operand) {
        List<Long> shape = shape(operand);
        return operand.transposed() ? shape.get(shape.size() - 2) : shape.getLast();
    }

    /** An extent of the problem: both operands have it; or they have at least what is written. */
    private static int extent(Node.Mapping node, String key, Node one, long first, Node other, long second) {
        Optional<Node> given = node.find(key);
        if (given.isPresent()) {
            return given.get().small(1, (int) Math.min(first, second));
        }
        if (first != second) {
            throw one.at()
                    .wrong("has " + first + " as " + key + ", but " + other.at().path() + " has " + second
                            + "; make them equal or write '" + key + "'");
        }
        return (int) first;
    }

    private static Tolerance tolerance(Node node, ElementType type, boolean gemm) {
        if (node instanceof Node.Mapping mapping && !mapping.entries().containsKey("bound")) {
            mapping.only("absolute", "relative", "bound");
            return new Tolerance.Within(limit(mapping, "absolute", 0), limit(mapping, "relative", 0));
        }
        Variant variant = Variant.of(node);
        if (variant.name().equals("exact")) {
            variant.alone();
            return new Tolerance.Exact();
        }
        if (!variant.name().equals("bound") || !gemm || !type.isFloat()) {
            throw variant.unknown("exact", "bound (for a gemm of a float type)", "a mapping of absolute and relative");
        }
        Node.Mapping options = variant.options("relative", "c");
        Tolerance.Bound standard = Tolerance.Bound.of(type);
        return new Tolerance.Bound(limit(options, "relative", standard.relative()), limit(options, "c", standard.c()));
    }

    private static double limit(Node.Mapping mapping, String key, double otherwise) {
        return mapping.find(key)
                .map(node -> {
                    double value = node.decimal();
                    if (value < 0) {
                        throw node.at().wrong("must be at least 0, got " + value);
                    }
                    return value;
                })
                .orElse(otherwise);
    }
}
