package dev.tilewright.launch.program;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.TensorMap;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** The data of a launch as the literals of {@code kernel.py.txt}. */
record PythonData(LaunchDescription launch, ProgramBuffers buffers) {

    private static final int DIGITS_OF_A_LINE = 100;

    /** A, B, D and what is added of each product. */
    String products() {
        return ProgramBuffers.products(launch).stream()
                .map(product -> "    (" + operand(product.a()) + ", " + operand(product.b()) + ", "
                        + operand(product.d())
                        + ProgramBuffers.added(product).stream()
                                .map(added -> ", " + operand(added.buffer(), added.transposed(), tensor(added)))
                                .collect(Collectors.joining())
                        + "),\n")
                .collect(Collectors.joining());
    }

    private String operand(Expectation.Operand operand) {
        return operand(
                operand.buffer(),
                operand.transposed(),
                launch.buffer(operand.buffer()).shape());
    }

    private String operand(String name, boolean transposed, List<Long> shape) {
        BufferDescription buffer = launch.buffer(name);
        return "(" + text(ProgramBuffers.word(buffer)) + ", " + text(buffer.type()) + ", " + truth(transposed) + ", "
                + list(shape) + (buffer.rowStride() == buffer.columns() ? "" : ", " + buffer.rowStride()) + ")";
    }

    /** Shape of a tensor beside A, B and D, as it lies: scales are those that torch._scaled_mm takes. */
    List<Long> tensor(ProgramBuffers.Added added) {
        List<Long> shape = new ArrayList<>(launch.buffer(added.buffer()).shape());
        if (added.transposed()) {
            return shape;
        }
        switch (added.word()) {
            case ProgramBuffers.SCALE_A -> shape.add(1L);
            case ProgramBuffers.SCALE_B -> shape.add(shape.size() - 1, 1L);
            default -> {}
        }
        return shape;
    }

    /** The buffers that a program makes itself. */
    String own() {
        return buffers.own().stream()
                .map(buffer -> "    (" + text(ProgramBuffers.word(buffer)) + ", " + buffer.bytes() + ", "
                        + text(preparation(buffer)) + ", "
                        + Block.of(buffer).map(this::block).orElse("None") + "),\n")
                .collect(Collectors.joining());
    }

    private String preparation(BufferDescription buffer) {
        return words(ProgramBuffers.preparation(launch, buffer));
    }

    /** The word of a program for how a buffer is prepared. */
    static String words(ProgramBuffers.Preparation preparation) {
        return switch (preparation) {
            case KEPT -> "kept";
            case ZEROED_ONCE -> "zeroed once";
            case ZEROED_EACH_LAUNCH -> "zeroed each launch";
            case FILLED -> "filled";
            case CONSTANT -> "constant";
        };
    }

    String parameters() {
        return launch.parameters().stream()
                .map(parameter -> "    " + block(Block.of(parameter)) + ",\n")
                .collect(Collectors.joining());
    }

    private String block(Block block) {
        return "(" + block.bytes() + ", " + content(block.content()) + ", "
                + block.patches().stream().map(this::patch).collect(Collectors.joining(", ", "[", "]")) + ")";
    }

    /** Hexadecimal digits; many of them on lines of their own. */
    private static String content(byte[] content) {
        String digits = HexFormat.of().formatHex(content);
        if (digits.length() <= DIGITS_OF_A_LINE) {
            return content.length == 0 ? "None" : text(digits);
        }
        StringBuilder lines = new StringBuilder("(\n");
        for (int from = 0; from < digits.length(); from += DIGITS_OF_A_LINE) {
            lines.append("        ")
                    .append(text(digits.substring(from, Math.min(digits.length(), from + DIGITS_OF_A_LINE))))
                    .append('\n');
        }
        return lines.append("    )").toString();
    }

    private String patch(Block.Patch patch) {
        return switch (patch) {
            case Block.Patch.Address(int at, String buffer, long offset) ->
                "(\"address\", " + at + ", " + name(buffer) + ", " + offset + ")";
            case Block.Patch.Map(int at, String buffer, long offset, TensorMap map) ->
                "(\"map\", " + at + ", " + name(buffer) + ", " + offset + ", " + map(map) + ")";
            case Block.Patch.Scale(int at) -> "(\"scale\", " + at + ")";
            case Block.Patch.Dealt(int at, int index) -> "(\"dealt\", " + at + ", " + index + ")";
        };
    }

    private String name(String buffer) {
        return text(ProgramBuffers.word(launch.buffer(buffer)));
    }

    private static String map(TensorMap map) {
        MapNumbers numbers = MapNumbers.of(map);
        return "(" + numbers.type() + ", " + numbers.swizzle() + ", " + numbers.promotion() + ", " + numbers.fill()
                + ", " + list(map.dims()) + ", " + list(map.strides()) + ", " + list(map.box()) + ", "
                + list(map.elementStrides()) + ")";
    }

    static String list(List<? extends Number> values) {
        return values.stream().map(String::valueOf).collect(Collectors.joining(", ", "[", "]"));
    }

    static String truth(boolean value) {
        return value ? "True" : "False";
    }

    /** A word, which has no quotes in it. */
    private static String text(Object word) {
        return "\"" + word + "\"";
    }
}
