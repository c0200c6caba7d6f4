package dev.tilewright.launch.program;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import dev.tilewright.launch.TensorMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

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
                .map(parameter -> block(Block.of(parameter)))
                .toList();
        List<String> own = buffers.own().stream().map(this::buffer).toList();
        return (maps.isEmpty() ? "" : array("const struct tensor_map maps[]", maps))
                + String.join("", definitions)
                + array("const struct block parameters[PARAMETERS + 1]", parameters)
                + array("const struct buffer buffers[BUFFERS + 1]", own)
                + deal();
    }

    /** A definition of an array, which has one element at the least. */
    static String array(String declaration, List<String> elements) {
        return "static " + declaration + " = {\n"
                + elements.stream().map(element -> "    " + element + ",\n").collect(Collectors.joining())
                + (elements.isEmpty() ? "    {0}\n" : "") + "};\n\n";
    }

    private String deal() {
        return ProgramBuffers.passes(launch, ScalarRole.GPCS)
                ? "static const uint32_t described_deal[5] = {"
                        + Arrays.stream(Block.deal(launch))
                                .mapToObj(Long::toString)
                                .collect(Collectors.joining(", "))
                        + "};\n\n"
                : "";
    }

    private String buffer(BufferDescription buffer) {
        return "{" + buffer.bytes() + ", " + ProgramBuffers.preparation(launch, buffer) + ", "
                + Block.of(buffer).map(this::block).orElse("{0, NULL, NULL, 0}") + "} /* " + buffer.name() + " */";
    }

    private String block(Block block) {
        int table = tables++;
        boolean plain = block.content().length == 0;
        if (!plain) {
            definitions.add(
                    "static const unsigned char content_" + table + "[] = {\n" + bytes(block.content()) + "};\n");
        }
        if (!block.patches().isEmpty()) {
            definitions.add(array(
                    "const struct patch patches_" + table + "[]",
                    block.patches().stream().map(this::patch).toList()));
        }
        return "{" + block.bytes() + ", " + (plain ? "NULL" : "content_" + table) + ", "
                + (block.patches().isEmpty() ? "NULL" : "patches_" + table) + ", "
                + block.patches().size() + "}";
    }

    private String patch(Block.Patch patch) {
        return switch (patch) {
            case Block.Patch.Address(int at, String buffer, long offset) ->
                "{" + at + ", POINTER, " + buffers.number(buffer) + ", " + offset + ", NULL}";
            case Block.Patch.Map(int at, String buffer, long offset, TensorMap map) -> {
                maps.add(map(map));
                yield "{" + at + ", TENSOR_MAP, " + buffers.number(buffer) + ", " + offset + ", &maps["
                        + (maps.size() - 1) + "]}";
            }
            case Block.Patch.Scale(int at) -> "{" + at + ", SCALE, 0, 0, NULL}";
            case Block.Patch.Dealt(int at, int index) -> "{" + at + ", DEALT, 0, " + index + ", NULL}";
        };
    }

    private static String map(TensorMap map) {
        MapNumbers numbers = MapNumbers.of(map);
        return "{" + numbers.type() + ", " + map.rank() + ", " + numbers.swizzle() + ", " + numbers.promotion() + ", "
                + numbers.fill() + ", " + list(map.dims()) + ", "
                + list(map.strides()) + ", " + list(map.box()) + ", "
                + list(map.elementStrides()) + "}";
    }

    /** An initialiser; of no values, that of zeros. */
    static String list(List<? extends Number> values) {
        return values.isEmpty()
                ? "{0}"
                : values.stream().map(String::valueOf).collect(Collectors.joining(", ", "{", "}"));
    }
}
