package dev.tilewright.launch.reader;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.document.Node;
import dev.tilewright.launch.element.ElementType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Reads buffers. */
final class BufferReader {
    private static final int MOST_GUARD = 1 << 20;
    private static final int MOST_DIMENSIONS = 8;
    private static final double LEAST_SCALE = 0x1p-6;
    private static final double LARGEST_SCALE = 4;
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");
    private static final String[] FILLS = {
        "uninitialised",
        "poison",
        "zeros",
        "identity",
        "constant",
        "iota",
        "normal",
        "integers",
        "logUniform",
        "values",
        "fields",
        "file"
    };

    private final DataFiles files;
    private final long mostBytes;
    private final Declared declared;

    /** @param mostBytes of all buffers together */
    BufferReader(DataFiles files, long mostBytes, Declared declared) {
        this.files = files;
        this.mostBytes = mostBytes;
        this.declared = declared;
    }

    List<BufferDescription> read(Node.Mapping mapping) {
        List<BufferDescription> buffers = new ArrayList<>();
        long[] total = {0};
        mapping.entries()
                .forEach((name, given) -> declared.buffer(name, given, node -> {
                            BufferDescription buffer = buffer(name, node);
                            total[0] += buffer.bytes();
                            if (total[0] > mostBytes) {
                                throw node.at()
                                        .wrong("all buffers together must have at most " + mostBytes + " bytes, got "
                                                + total[0]);
                            }
                            return buffer;
                        })
                        .ifPresent(buffers::add));
        return filled(mapping, buffers);
    }

    private BufferDescription buffer(String name, Node node) {
        if (!NAME.matcher(name).matches()) {
            throw node.at().wrong("a buffer's name is " + NAME + ", got '" + name + "'");
        }
        Node.Mapping fields = node.mapping().only("dtype", "shape", "rowStride", "init", "guard");
        ElementType type = type(fields.get("dtype"));
        List<Long> shape = shape(fields.get("shape"));
        long columns = shape.getLast();
        long stride = fields.find("rowStride")
                .map(given -> given.integer(columns, mostBytes))
                .orElse(columns);
        requireBytes(node, shape, stride, type);
        int guard =
                fields.find("guard").map(given -> given.small(0, MOST_GUARD)).orElse(BufferDescription.USUAL_GUARD);
        return new BufferDescription(name, type, shape, stride, new Fill.Uninitialised(), guard);
    }

    /** The buffers with their contents, which may point to any of them. */
    private List<BufferDescription> filled(Node.Mapping mapping, List<BufferDescription> buffers) {
        Map<String, BufferDescription> known = new LinkedHashMap<>();
        buffers.forEach(buffer -> known.put(buffer.name(), buffer));
        return buffers.stream()
                .map(buffer -> mapping.get(buffer.name())
                        .mapping()
                        .find("init")
                        .map(given -> declared.buffer(
                                        buffer.name(), given, node -> buffer.with(fill(node, buffer, known)))
                                .orElse(buffer))
                        .orElse(buffer))
                .toList();
    }

    /** The buffer that a node names. */
    static BufferDescription named(Node node, Map<String, BufferDescription> buffers) {
        BufferDescription buffer = buffers.get(node.text());
        if (buffer == null) {
            throw node.at().wrong("must be a buffer of " + buffers.keySet() + ", got " + node.shown());
        }
        return buffer;
    }

    static ElementType type(Node node) {
        String name = node.text();
        try {
            return ElementType.named(name);
        } catch (IllegalArgumentException unknown) {
            throw node.at().wrong(String.valueOf(unknown.getMessage()));
        }
    }

    private List<Long> shape(Node node) {
        if (node instanceof Node.Scalar) {
            return List.of(node.integer(1, mostBytes));
        }
        List<Node> items = node.items();
        if (items.isEmpty() || items.size() > MOST_DIMENSIONS) {
            throw node.at().wrong("must have 1 to " + MOST_DIMENSIONS + " dimensions, got " + items.size());
        }
        return items.stream().map(extent -> extent.integer(1, mostBytes)).toList();
    }

    private void requireBytes(Node node, List<Long> shape, long stride, ElementType type) {
        long bytes = stride * type.bytes();
        for (long extent : shape.subList(0, shape.size() - 1)) {
            bytes *= extent;
            if (bytes > mostBytes) {
                break;
            }
        }
        if (bytes > mostBytes) {
            throw node.at()
                    .wrong("must have at most " + mostBytes + " bytes, got " + type + shape + " with rows of " + stride
                            + " elements");
        }
    }

    private Fill fill(Node node, BufferDescription buffer, Map<String, BufferDescription> known) {
        ElementType type = buffer.type();
        List<Long> shape = buffer.shape();
        Variant variant = Variant.of(node);
        return switch (variant.name()) {
            case "uninitialised" -> alone(variant, new Fill.Uninitialised());
            case "poison" -> alone(variant, new Fill.Poison());
            case "zeros" -> alone(variant, new Fill.Zeros());
            case "identity" -> alone(variant, new Fill.Identity());
            case "constant" ->
                new Fill.Constant(
                        DataFiles.bits(variant.needed(), type), variant.needed().number());
            case "iota" -> {
                Node.Mapping options = variant.options("start", "step");
                yield new Fill.Iota(
                        options.find("start").map(Node::decimal).orElse(0.0),
                        options.find("step").map(Node::decimal).orElse(1.0));
            }
            case "normal" -> {
                Node.Mapping options = variant.options("seed", "mean", "std");
                double deviation = options.find("std").map(Node::decimal).orElse(1.0);
                if (deviation < 0) {
                    throw options.get("std").at().wrong("must be at least 0, got " + deviation);
                }
                yield new Fill.Normal(
                        seed(options), options.find("mean").map(Node::decimal).orElse(0.0), deviation);
            }
            case "integers" -> {
                Node.Mapping options = variant.options("seed", "low", "high");
                long low = options.find("low")
                        .map(n -> limit(n, type))
                        .orElse(type.decode(type.encode(-2)) == -2 ? -2L : 0L);
                long high = options.find("high").map(n -> limit(n, type)).orElse(2L);
                if (low > high) {
                    throw variant.at().at().wrong("'low' must be at most 'high', got " + low + " and " + high);
                }
                yield new Fill.Integers(seed(options), low, high);
            }
            case "logUniform" -> {
                Node.Mapping options = variant.options("seed", "low", "high");
                double low = options.find("low").map(Node::decimal).orElse(LEAST_SCALE);
                double high = options.find("high").map(Node::decimal).orElse(LARGEST_SCALE);
                if (!(0 < low && low <= high)) {
                    throw variant.at()
                            .at()
                            .wrong("'low' must be above 0 and at most 'high', got " + low + " and " + high);
                }
                yield new Fill.LogUniform(seed(options), low, high);
            }
            case "fields" -> new Fill.Fields(new ParameterReader(known).fields(variant.needed(), buffer.bytes()));
            case "values" -> files.values(variant.needed(), type, shape);
            case "file" -> files.file(variant.needed(), type, shape);
            default -> throw variant.unknown(FILLS);
        };
    }

    /** A limit of random integers; small enough to be the same in every type that holds it. */
    private static long limit(Node node, ElementType type) {
        long limit = node.integer(-(1L << 31), (1L << 32) - 1);
        if (type.decode(type.encode(limit)) != limit) {
            throw node.at().wrong("must be a value of " + type + ", got " + limit);
        }
        return limit;
    }

    private static OptionalLong seed(Node.Mapping options) {
        return options.find("seed")
                .map(node -> OptionalLong.of(node.integer(0, Long.MAX_VALUE)))
                .orElse(OptionalLong.empty());
    }

    private static Fill alone(Variant variant, Fill fill) {
        variant.alone();
        return fill;
    }
}
