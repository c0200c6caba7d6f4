package dev.tilewright.launch.program;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.KernelParameter.Field;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import dev.tilewright.launch.TensorMap;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The data of a launch as the initialisers of {@code kernel.c.txt}. */
final class CData {

    private static final int BYTES_OF_A_LINE = 20;

    private final LaunchDescription launch;
    private final ProgramBuffers buffers;
    private final List<String> definitions = new ArrayList<>();
    private final List<String> maps = new ArrayList<>();
    private int tables;

    private CData(LaunchDescription launch, ProgramBuffers buffers) {
        this.launch = launch;
        this.buffers = buffers;
    }

    static String of(LaunchDescription launch, ProgramBuffers buffers) {
        return new CData(launch, buffers).text();
    }

    /** Bytes as the elements of an array. */
    static String bytes(byte[] content) {
        StringBuilder text = new StringBuilder();
        for (int from = 0; from < content.length; from += BYTES_OF_A_LINE) {
            text.append("    ");
            for (int i = from; i < Math.min(content.length, from + BYTES_OF_A_LINE); i++) {
                text.append(content[i] & 0xFF).append(',');
            }
            text.append('\n');
        }
        return text.toString();
    }

    private String text() {
        List<String> parameters = launch.parameters().stream()
                .map(parameter -> block(parameter.bytes(), List.of(new Field(0, parameter)), new byte[0]))
                .toList();
        List<String> own = buffers.own().stream().map(this::buffer).toList();
        return (maps.isEmpty() ? "" : array("const struct tensor_map maps[]", maps))
                + String.join("", definitions)
                + array("const struct block parameters[PARAMETERS + 1]", parameters)
                + array("const struct buffer buffers[BUFFERS + 1]", own)
                + deal();
    }

    private static String array(String declaration, List<String> elements) {
        return "static " + declaration + " = {\n"
                + elements.stream().map(element -> "    " + element + ",\n").collect(Collectors.joining())
                + (elements.isEmpty() ? "    {0}\n" : "") + "};\n\n";
    }

    private String deal() {
        if (!ProgramBuffers.passes(launch, ScalarRole.GPCS)) {
            return "";
        }
        long[] deal = new long[ScalarRole.values().length - 1];
        for (KernelParameter parameter : launch.parameters()) {
            if (parameter instanceof KernelParameter.Scalar(var _, long bits, var role)) {
                role.filter(is -> is != ScalarRole.SCALE).ifPresent(is -> deal[dealt(is)] = bits);
            }
        }
        return "static const uint32_t described_deal[5] = {"
                + Arrays.stream(deal).mapToObj(Long::toString).collect(Collectors.joining(", ")) + "};\n\n";
    }

    private static int dealt(ScalarRole role) {
        return role.ordinal() - ScalarRole.FIRST_DEALT.ordinal();
    }

    private String buffer(BufferDescription buffer) {
        String block = switch (buffer.fill()) {
            case Fill.Packed(byte[] content, String _) -> block(buffer.bytes(), List.of(), content);
            case Fill.Fields(List<Field> fields) -> block(buffer.bytes(), fields, new byte[0]);
            case Fill.Uninitialised _, Fill.Poison _, Fill.Zeros _, Fill.Constant _ -> "{0, NULL, NULL, 0}";
            case Fill.Iota _, Fill.Identity _, Fill.Normal _, Fill.Integers _ -> "{0, NULL, NULL, 0}";
        };
        return "{" + buffer.bytes() + ", " + ProgramBuffers.preparation(launch, buffer) + ", " + block + "} /* "
                + buffer.name() + " */";
    }

    /** Bytes with what is written over them late. */
    private String block(long size, List<Field> fields, byte[] given) {
        byte[] content = given.length == 0 && size <= Integer.MAX_VALUE ? new byte[(int) size] : given;
        List<String> patches = new ArrayList<>();
        fields.forEach(field -> lay(field.at(), field.value(), content, patches));
        boolean plain = allZero(content);
        int table = tables++;
        if (!plain) {
            definitions.add("static const unsigned char content_" + table + "[] = {\n" + bytes(content) + "};\n");
        }
        if (!patches.isEmpty()) {
            definitions.add(array("const struct patch patches_" + table + "[]", patches));
        }
        return "{" + size + ", " + (plain ? "NULL" : "content_" + table) + ", "
                + (patches.isEmpty() ? "NULL" : "patches_" + table) + ", " + patches.size() + "}";
    }

    private static boolean allZero(byte[] content) {
        for (byte each : content) {
            if (each != 0) {
                return false;
            }
        }
        return true;
    }

    private void lay(int at, KernelParameter value, byte[] content, List<String> patches) {
        switch (value) {
            case KernelParameter.Scalar(ElementType type, long bits, Optional<ScalarRole> role) -> {
                Elements.put(content, at, type, bits);
                role.ifPresent(is -> patches.add(
                        is == ScalarRole.SCALE
                                ? "{" + at + ", SCALE, 0, 0, NULL}"
                                : "{" + at + ", DEALT, 0, " + dealt(is) + ", NULL}"));
            }
            case KernelParameter.Pointer(String buffer, long offset) ->
                patches.add("{" + at + ", POINTER, " + buffers.number(buffer) + ", " + offset + ", NULL}");
            case KernelParameter.MapByValue(String buffer, long offset, TensorMap map) -> {
                patches.add("{" + at + ", TENSOR_MAP, " + buffers.number(buffer) + ", " + offset + ", &maps["
                        + maps.size() + "]}");
                maps.add(map(map));
            }
            case KernelParameter.Raw(byte[] raw) -> System.arraycopy(raw, 0, content, at, raw.length);
            case KernelParameter.NullPointer _ -> {}
            case KernelParameter.Struct(int _, List<Field> fields) ->
                fields.forEach(field -> lay(at + field.at(), field.value(), content, patches));
        }
    }

    private static String map(TensorMap map) {
        return "{" + dataType(map.type()) + ", " + map.rank() + ", " + swizzle(map.swizzleBytes()) + ", "
                + promotion(map.promotionBytes()) + ", " + (map.fillNan() ? 1 : 0) + ", " + list(map.dims()) + ", "
                + (map.strides().isEmpty() ? "{0}" : list(map.strides())) + ", " + list(map.box()) + ", "
                + list(map.elementStrides()) + "}";
    }

    private static String list(List<? extends Number> values) {
        return Stream.of(values).flatMap(List::stream).map(String::valueOf).collect(Collectors.joining(", ", "{", "}"));
    }

    /** {@code CUtensorMapDataType}; 8-bit floats travel as bytes. */
    static int dataType(ElementType type) {
        return switch (type) {
            case U8, E4M3, E5M2, S8 -> 0;
            case U16, S16 -> 1;
            case U32 -> 2;
            case S32 -> 3;
            case U64 -> 4;
            case S64 -> 5;
            case F16 -> 6;
            case F32 -> 7;
            case F64 -> 8;
            case BF16 -> 9;
            case TF32 -> 11;
        };
    }

    /** {@code CUtensorMapSwizzle}: none, then spans of 32, 64 and 128 bytes. */
    private static int swizzle(int bytes) {
        return bytes == 0 ? 0 : Integer.numberOfTrailingZeros(bytes) - 4;
    }

    /** {@code CUtensorMapL2promotion}: none, then 64, 128 and 256 bytes. */
    private static int promotion(int bytes) {
        return bytes == 0 ? 0 : Integer.numberOfTrailingZeros(bytes) - 5;
    }
}
