package dev.tilewright.launch.reader;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.KernelParameter.Field;
import dev.tilewright.launch.ScalarRole;
import dev.tilewright.launch.TensorMap;
import dev.tilewright.launch.document.Node;
import dev.tilewright.launch.element.ElementType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads what is passed to a kernel. */
final class ParameterReader {
    /** A kernel takes no more: PTX 5.1.6.1. */
    private static final int MAX_PARAMETER_BYTES = 32764;

    /** Beside the number: what it stands for. */
    private static final String ROLE = "is";

    private static final Map<String, ElementType> BITS =
            Map.of("b8", ElementType.U8, "b16", ElementType.U16, "b32", ElementType.U32, "b64", ElementType.U64);
    private static final String KNOWN = "pointer, nullPointer, tensorMap, struct, bytes, b8, b16, b32, b64, or a type";

    private final Map<String, BufferDescription> buffers;

    ParameterReader(Map<String, BufferDescription> buffers) {
        this.buffers = buffers;
    }

    List<KernelParameter> read(Node node, Declared declared) {
        return declared.items(node.items(), this::parameter);
    }

    private KernelParameter parameter(Node item) {
        if (item instanceof Node.Mapping mapping && mapping.find(ROLE).isPresent()) {
            return inRole(parameter(Variant.of(mapping, ROLE)), mapping.get(ROLE));
        }
        return parameter(Variant.of(item));
    }

    private static KernelParameter inRole(KernelParameter value, Node named) {
        ScalarRole role = ScalarRole.find(named.text())
                .orElseThrow(() ->
                        named.at().wrong("must be one of " + List.of(ScalarRole.values()) + ", got " + named.shown()));
        ElementType needed = role == ScalarRole.SCALE ? ElementType.F32 : ElementType.U32;
        if (!(value instanceof KernelParameter.Scalar(ElementType type, long bits, var _)) || type != needed) {
            throw named.at().wrong("'" + role + "' is a number of type " + needed);
        }
        return new KernelParameter.Scalar(type, bits, Optional.of(role));
    }

    private KernelParameter parameter(Variant variant) {
        return switch (variant.name()) {
            case "pointer" -> pointer(variant.needed());
            case "nullPointer" -> {
                variant.alone();
                yield new KernelParameter.NullPointer();
            }
            case "tensorMap" -> map(variant.needed().mapping());
            case "struct" -> struct(variant.needed().mapping());
            case "bytes" -> bytes(variant.needed());
            default -> scalar(variant);
        };
    }

    private KernelParameter scalar(Variant variant) {
        ElementType type = BITS.get(variant.name());
        if (type == null) {
            try {
                type = ElementType.named(variant.name());
            } catch (IllegalArgumentException unknown) {
                throw variant.at().at().wrong("must be " + KNOWN + " such as u32, got '" + variant.name() + "'");
            }
        }
        return new KernelParameter.Scalar(type, DataFiles.bits(variant.needed(), type));
    }

    private KernelParameter pointer(Node node) {
        if (node instanceof Node.Scalar) {
            return new KernelParameter.Pointer(BufferReader.named(node, buffers).name(), 0);
        }
        Node.Mapping fields = node.mapping().only("buffer", "offset", "element");
        BufferDescription buffer = BufferReader.named(fields.get("buffer"), buffers);
        if (fields.find("offset").isPresent() && fields.find("element").isPresent()) {
            throw node.at().wrong("takes 'offset' in bytes or 'element', not both");
        }
        long offset =
                fields.find("offset").map(n -> n.integer(0, buffer.bytes())).orElse(0L);
        long element = fields.find("element")
                .map(n -> n.integer(0, buffer.bytes() / buffer.type().bytes()))
                .orElse(0L);
        return new KernelParameter.Pointer(
                buffer.name(), offset + element * buffer.type().bytes());
    }

    private static KernelParameter bytes(Node node) {
        return new KernelParameter.Raw(hexadecimal(node));
    }

    private static byte[] hexadecimal(Node node) {
        String hex = node.text().replaceAll("\\s+", "");
        if (hex.isEmpty() || !hex.matches("([0-9a-fA-F]{2})+") || hex.length() / 2 > MAX_PARAMETER_BYTES) {
            throw node.at()
                    .wrong("must be 1 to " + MAX_PARAMETER_BYTES + " bytes of two hexadecimal digits each, got "
                            + node.shown());
        }
        return HexFormat.of().parseHex(hex);
    }

    private KernelParameter struct(Node.Mapping node) {
        node.only("size", "fields", "bytes");
        int size = node.get("size").small(1, MAX_PARAMETER_BYTES);
        List<Field> fields = fields(node.get("fields"), size);
        Optional<Node> between = node.find("bytes");
        return new KernelParameter.Struct(
                size, between.isEmpty() ? fields : filled(fields, between.get(), hexadecimal(between.get()), size));
    }

    /** Fields, and between them the bytes that no field covers. */
    private static List<Field> filled(List<Field> fields, Node node, byte[] content, int size) {
        if (content.length != size) {
            throw node.at().wrong("must be " + size + " bytes as 'size', got " + content.length);
        }
        List<Field> all = new ArrayList<>();
        int at = 0;
        for (Field field : fields) {
            if (at < field.at()) {
                all.add(new Field(at, new KernelParameter.Raw(Arrays.copyOfRange(content, at, field.at()))));
            }
            all.add(field);
            at = field.at() + field.value().bytes();
        }
        if (at < size) {
            all.add(new Field(at, new KernelParameter.Raw(Arrays.copyOfRange(content, at, size))));
        }
        return all;
    }

    /** Fields at their offsets in so many bytes. */
    List<Field> fields(Node node, long size) {
        List<Field> fields = new ArrayList<>();
        for (Node item : node.items()) {
            Node.Mapping entry = item.mapping();
            Node at = entry.get("at");
            Variant variant = Variant.of(entry, "at");
            if (variant.name().equals("struct")) {
                throw item.at()
                        .wrong("a field is no struct itself; give the fields of the inner one their offsets in the"
                                + " outer");
            }
            Field field = new Field(at.small(0, (int) Math.min(size, Integer.MAX_VALUE)), parameter(variant));
            requireRoom(item, field, size);
            fields.add(field);
        }
        fields.sort(Comparator.comparingInt(Field::at));
        for (int i = 1; i < fields.size(); i++) {
            Field before = fields.get(i - 1);
            if (fields.get(i).at() < before.at() + before.value().bytes()) {
                throw node.at()
                        .wrong("fields at " + before.at() + " and "
                                + fields.get(i).at() + " overlap; the first has "
                                + before.value().bytes() + " bytes");
            }
        }
        return fields;
    }

    private static void requireRoom(Node item, Field field, long size) {
        int bytes = field.value().bytes();
        int alignment = switch (field.value()) {
            case KernelParameter.MapByValue _ -> 64;
            case KernelParameter.Pointer _, KernelParameter.NullPointer _ -> 8;
            case KernelParameter.Scalar _, KernelParameter.Raw _, KernelParameter.Struct _ -> 1;
        };
        if (field.at() + bytes > size || field.at() % alignment != 0) {
            throw item.at()
                    .wrong("a field of " + bytes + " bytes must lie inside of " + size + " bytes at a multiple of "
                            + alignment + ", got offset " + field.at());
        }
    }

    private KernelParameter map(Node.Mapping node) {
        node.only(
                "buffer",
                "offset",
                "dtype",
                "dims",
                "strides",
                "box",
                "elementStrides",
                "swizzle",
                "interleave",
                "oobFill",
                "l2Promotion",
                "template");
        BufferDescription buffer = BufferReader.named(node.get("buffer"), buffers);
        ElementType type = node.find("dtype").map(BufferReader::type).orElse(buffer.type());
        long offset =
                node.find("offset").map(n -> n.integer(0, buffer.bytes() - 1)).orElse(0L);
        if (offset % 16 != 0) {
            throw node.get("offset").at().wrong("must be a multiple of 16 bytes, got " + offset);
        }
        List<Long> dims = node.find("dims")
                .map(n -> integers(n, 1, 1L << 32))
                .orElseGet(() -> buffer.shape().reversed());
        List<Long> strides = node.find("strides")
                .map(n -> integers(n, 0, 1L << 40))
                .orElseGet(() -> strides(node, buffer, dims, type));
        List<Integer> box =
                integers(node.get("box"), 1, 256).stream().map(Long::intValue).toList();
        List<Integer> steps = node.find("elementStrides")
                .map(n -> integers(n, 1, 8).stream().map(Long::intValue).toList())
                .orElseGet(() -> Collections.nCopies(dims.size(), 1));
        node.find("interleave").ifPresent(n -> choice(n, Map.of("none", true)));
        int promotion = node.find("l2Promotion")
                .map(n -> choice(n, Map.of("none", 0, "64", 64, "128", 128, "256", 256)))
                .orElse(0);
        boolean nan = node.find("oobFill")
                .map(n -> choice(n, Map.of("zeros", false, "nan", true)))
                .orElse(false);
        int swizzle = node.find("swizzle")
                .map(n -> choice(n, Map.of("none", 0, "32", 32, "64", 64, "128", 128)))
                .orElse(0);
        TensorMap map;
        try {
            map = new TensorMap(type, dims, strides, box, steps, swizzle, nan, promotion);
        } catch (IllegalArgumentException refused) {
            throw node.at().wrong(String.valueOf(refused.getMessage()));
        }
        if (!node.find("template").map(Node::flag).orElse(false)) {
            requireInside(node, buffer, offset, map);
        }
        return new KernelParameter.MapByValue(buffer.name(), offset, map);
    }

    /** Strides of the buffer's own dimensions. */
    private static List<Long> strides(Node.Mapping node, BufferDescription buffer, List<Long> dims, ElementType type) {
        if (dims.size() != buffer.shape().size()
                || type.bytes() != buffer.type().bytes()) {
            throw node.at().wrong("needs the key 'strides': rank or element size is not the buffer's");
        }
        List<Long> strides = new ArrayList<>();
        long stride = buffer.rowStride() * type.bytes();
        for (int i = dims.size() - 2; i >= 0; i--) {
            strides.add(stride);
            stride *= buffer.shape().get(i);
        }
        return strides;
    }

    private static void requireInside(Node node, BufferDescription buffer, long offset, TensorMap map) {
        // Extents up to 2^32 times strides up to 2^40 are more than a long holds.
        BigInteger end =
                BigInteger.valueOf(offset + map.dims().getFirst() * map.type().bytes());
        for (int i = 1; i < map.rank(); i++) {
            BigInteger steps = BigInteger.valueOf(map.dims().get(i) - 1);
            end = end.add(steps.multiply(BigInteger.valueOf(map.strides().get(i - 1))));
        }
        if (end.compareTo(BigInteger.valueOf(buffer.bytes())) > 0) {
            throw node.at()
                    .wrong("must lie inside of buffer " + buffer.name() + ", which has " + buffer.bytes()
                            + " bytes, but it ends at " + end);
        }
    }

    private static List<Long> integers(Node node, long low, long high) {
        return node.items().stream().map(item -> item.integer(low, high)).toList();
    }

    /** One of some words; numbers count as the words they are written as. */
    private static <T> T choice(Node node, Map<String, T> words) {
        T chosen = node instanceof Node.Scalar scalar ? words.get(scalar.written()) : null;
        if (chosen == null) {
            chosen = node.evaluated().map(value -> words.get(value.toString())).orElse(null);
        }
        if (chosen == null) {
            throw node.at()
                    .wrong("must be one of "
                            + String.join(", ", words.keySet().stream().sorted().toList()) + ", got " + node.shown());
        }
        return chosen;
    }
}
