package dev.tilewright.launch.writer;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.TensorMap;
import dev.tilewright.launch.Tolerance;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.model.problem.OperandRole;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * A launch as maps, lists, numbers and texts, under the keys of {@code docs/launch-description.md}. Every key of a
 * tensor map is there, so that who reads it needs no defaults.
 */
final class LaunchTree {

    private LaunchTree() {}

    static SequencedMap<String, Object> of(LaunchDescription launch) {
        SequencedMap<String, Object> tree = new LinkedHashMap<>();
        launch.entry().ifPresent(entry -> tree.put("entry", entry));
        tree.put("grid", extents(launch.grid()));
        tree.put("block", extents(launch.block()));
        launch.cluster().ifPresent(cluster -> tree.put("cluster", extents(cluster)));
        tree.put("dynamicShared", launch.dynamicShared());
        if (launch.launchOverlap()) {
            tree.put("launchOverlap", true);
        }
        Map<String, Object> buffers = new LinkedHashMap<>();
        launch.buffers().forEach(buffer -> buffers.put(buffer.name(), buffer(buffer)));
        tree.put("buffers", buffers);
        tree.put(
                "parameters",
                launch.parameters().stream().map(LaunchTree::parameter).toList());
        tree.put(
                "expect",
                launch.expected().stream()
                        .map(expected -> expectation(launch, expected))
                        .toList());
        return tree;
    }

    private static Object extents(Extents extents) {
        return extents.y() == 1 && extents.z() == 1 ? extents.x() : List.of(extents.x(), extents.y(), extents.z());
    }

    private static Map<String, Object> buffer(BufferDescription buffer) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("dtype", buffer.type().toString());
        tree.put("shape", buffer.shape());
        if (buffer.rowStride() != buffer.shape().getLast()) {
            tree.put("rowStride", buffer.rowStride());
        }
        tree.put("init", fill(buffer));
        if (buffer.guard() != BufferDescription.USUAL_GUARD) {
            tree.put("guard", buffer.guard());
        }
        return tree;
    }

    private static Object fill(BufferDescription buffer) {
        ElementType type = buffer.type();
        return switch (buffer.fill()) {
            case Fill.Uninitialised _ -> "uninitialised";
            case Fill.Poison _ -> "poison";
            case Fill.Zeros _ -> "zeros";
            case Fill.Identity _ -> "identity";
            case Fill.Constant(long bits, var _) -> Map.of("constant", number(type, bits));
            case Fill.Iota(double start, double step) ->
                Map.of("iota", ordered("start", BigDecimal.valueOf(start), "step", BigDecimal.valueOf(step)));
            case Fill.Normal(var seed, double mean, double deviation) -> {
                Map<String, Object> options =
                        ordered("mean", BigDecimal.valueOf(mean), "std", BigDecimal.valueOf(deviation));
                seed.ifPresent(given -> options.put("seed", given));
                yield mean == 0 && deviation == 1 && seed.isEmpty() ? "normal" : Map.of("normal", options);
            }
            case Fill.Integers(var seed, long low, long high) -> {
                Map<String, Object> options = ordered("low", low, "high", high);
                seed.ifPresent(given -> options.put("seed", given));
                yield Map.of("integers", options);
            }
            case Fill.LogUniform(var seed, double low, double high) -> {
                Map<String, Object> options = ordered("low", BigDecimal.valueOf(low), "high", BigDecimal.valueOf(high));
                seed.ifPresent(given -> options.put("seed", given));
                yield Map.of("logUniform", options);
            }
            case Fill.Packed packed -> Map.of("values", values(type, packed));
            case Fill.Fields(List<KernelParameter.Field> fields) ->
                Map.of("fields", fields.stream().map(LaunchTree::field).toList());
        };
    }

    private static List<Object> values(ElementType type, Fill.Packed packed) {
        List<Object> values = new ArrayList<>();
        for (int at = 0; at < packed.content().length; at += type.bytes()) {
            values.add(number(type, Elements.get(packed.content(), at, type)));
        }
        return values;
    }

    private static Map<String, Object> field(KernelParameter.Field field) {
        Map<String, Object> tree = ordered("at", field.at());
        if (parameter(field.value()) instanceof Map<?, ?> value) {
            value.forEach((key, held) -> tree.put(String.valueOf(key), held));
        }
        return tree;
    }

    private static Object parameter(KernelParameter parameter) {
        return switch (parameter) {
            case KernelParameter.Scalar(ElementType type, long bits, var role) -> {
                Map<String, Object> tree = ordered(type.toString(), number(type, bits));
                role.ifPresent(is -> tree.put("is", is.toString()));
                yield tree;
            }
            case KernelParameter.Pointer(String buffer, long offset) ->
                ordered("pointer", offset == 0 ? buffer : ordered("buffer", buffer, "offset", offset));
            case KernelParameter.NullPointer _ -> ordered("bytes", "00".repeat(Long.BYTES));
            case KernelParameter.MapByValue(String buffer, long offset, TensorMap map) ->
                ordered("tensorMap", map(buffer, offset, map));
            case KernelParameter.Raw(byte[] content) ->
                ordered("bytes", HexFormat.of().formatHex(content));
            case KernelParameter.Struct(int bytes, List<KernelParameter.Field> fields) ->
                ordered(
                        "struct",
                        ordered(
                                "size",
                                bytes,
                                "fields",
                                fields.stream().map(LaunchTree::field).toList()));
        };
    }

    private static Map<String, Object> map(String buffer, long offset, TensorMap map) {
        Map<String, Object> tree = ordered("buffer", buffer, "offset", offset);
        tree.put("dtype", map.type().toString());
        tree.put("dims", map.dims());
        tree.put("strides", map.strides());
        tree.put("box", map.box());
        tree.put("elementStrides", map.elementStrides());
        tree.put("swizzle", map.swizzleBytes() == 0 ? "none" : map.swizzleBytes());
        tree.put("oobFill", map.fillNan() ? "nan" : "zeros");
        tree.put("l2Promotion", map.promotionBytes() == 0 ? "none" : map.promotionBytes());
        return tree;
    }

    private static Map<String, Object> expectation(LaunchDescription launch, Expectation expected) {
        return switch (expected) {
            case Expectation.Gemm gemm -> ordered("gemm", gemm(gemm));
            case Expectation.Content(String buffer, Fill.Packed content, Tolerance tolerance) ->
                ordered(
                        "values",
                        ordered(
                                "buffer",
                                buffer,
                                "values",
                                values(launch.buffer(buffer).type(), content),
                                "tolerance",
                                tolerance(tolerance)));
            case Expectation.Unchanged(String buffer) -> ordered("unchanged", buffer);
        };
    }

    private static Map<String, Object> gemm(Expectation.Gemm gemm) {
        Map<String, Object> tree = ordered("a", operand(gemm.a(), "MK", "KM"), "b", operand(gemm.b(), "NK", "KN"));
        gemm.scales()
                .ifPresent(scales -> tree.put(
                        "scales",
                        ordered(
                                "kind",
                                scales.kind().toString(),
                                "a",
                                scales(scales, OperandRole.A, "MK"),
                                "b",
                                scales(scales, OperandRole.B, "KN"))));
        gemm.c().ifPresent(c -> tree.put("c", operand(c, "MN", "NM")));
        tree.put("d", operand(gemm.d(), "MN", "NM"));
        gemm.bias().ifPresent(bias -> tree.put("bias", bias));
        if (!gemm.epilogue().isNone()) {
            tree.put("epilogue", gemm.epilogue().toString());
        }
        tree.put("m", gemm.m());
        tree.put("n", gemm.n());
        tree.put("k", gemm.k());
        tree.put("tolerance", tolerance(gemm.tolerance()));
        return tree;
    }

    private static Object scales(Expectation.ScaleBuffers scales, OperandRole role, String transposed) {
        return scales.transposed(role) ? ordered("buffer", scales.of(role), "layout", transposed) : scales.of(role);
    }

    private static Map<String, Object> operand(Expectation.Operand operand, String plain, String transposed) {
        return ordered("buffer", operand.buffer(), "layout", operand.transposed() ? transposed : plain);
    }

    private static Object tolerance(Tolerance tolerance) {
        return switch (tolerance) {
            case Tolerance.Exact _ -> "exact";
            case Tolerance.Bound(double relative, double c) ->
                ordered("bound", ordered("relative", BigDecimal.valueOf(relative), "c", BigDecimal.valueOf(c)));
            case Tolerance.Within(double absolute, double relative) ->
                ordered("absolute", BigDecimal.valueOf(absolute), "relative", BigDecimal.valueOf(relative));
        };
    }

    /** A number for people where it is read back as the same bits, else the bits. */
    private static Object number(ElementType type, long bits) {
        String shown = type.show(bits);
        try {
            if (type.parse(shown) == bits) {
                return new BigDecimal(shown);
            }
        } catch (IllegalArgumentException notDecimal) {
            // Infinities and NaN are no decimal numbers.
        }
        return "0x" + Long.toHexString(bits);
    }

    private static Map<String, Object> ordered(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(String.valueOf(keysAndValues[i]), keysAndValues[i + 1]);
        }
        return map;
    }
}
