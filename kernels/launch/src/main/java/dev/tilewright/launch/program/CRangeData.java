package dev.tilewright.launch.program;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import dev.tilewright.launch.TensorMap;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The launches of a range as the initialisers of {@code range.c.txt}. */
final class CRangeData {

    private final RangeProgram range;
    private final List<RangeLaunches> launches;
    private final StringBuilder text = new StringBuilder();

    private CRangeData(RangeProgram range, List<RangeLaunches> launches) {
        this.range = range;
        this.launches = launches;
    }

    static String of(RangeProgram range, List<RangeLaunches> launches) {
        CRangeData data = new CRangeData(range, launches);
        List<String> kernels =
                IntStream.range(0, launches.size()).mapToObj(data::kernel).toList();
        data.text.append(CData.array("const struct kernel kernels[KERNELS]", kernels));
        data.text.append(CData.array("const struct launch launches[]", data.rows()));
        return data.text.toString();
    }

    private String kernel(int number) {
        RangeLaunches own = launches.get(number);
        LaunchDescription like = own.like();
        ProgramBuffers buffers = ProgramBuffers.of(like);
        List<String> parameters = IntStream.range(0, like.parameters().size())
                .mapToObj(i -> parameter(number, i, buffers))
                .toList();
        List<String> bytes = IntStream.range(0, buffers.own().size())
                .mapToObj(i -> buffer(own, buffers.own().get(i), i))
                .toList();
        text.append(CData.array("const struct block parameters_" + number + "[]", parameters));
        text.append(CData.array("const struct buffer buffers_" + number + "[]", bytes));
        text.append("extern const unsigned char %s_image_%d[];\n\n".formatted(range.name(), number));
        return "{\"%s\", %s_image_%d, %d, %d, %d, %d, %d, %d, buffers_%d, parameters_%d} /* %s */"
                .formatted(
                        like.entry().orElseThrow(),
                        range.name(),
                        number,
                        like.block().x(),
                        like.cluster().orElse(Extents.of(1)).x(),
                        like.dynamicShared(),
                        ProgramBuffers.passes(like, ScalarRole.GPCS) ? 1 : 0,
                        bytes.size(),
                        parameters.size(),
                        number,
                        number,
                        range.members().get(number).title());
    }

    private static String buffer(RangeLaunches own, BufferDescription buffer, int index) {
        return "{" + own.ownBytes().get(index) + ", " + ProgramBuffers.preparation(own.like(), buffer) + "} /* "
                + buffer.name() + " */";
    }

    private String parameter(int kernel, int index, ProgramBuffers buffers) {
        RangeLaunches own = launches.get(kernel);
        Block block = Block.of(own.like().parameters().get(index));
        String name = kernel + "_" + index;
        boolean plain = block.content().length == 0;
        if (!plain) {
            text.append("static const unsigned char content_%s[] = {\n%s};\n"
                    .formatted(name, CData.bytes(block.content())));
        }
        List<String> patches = new ArrayList<>(block.patches().stream()
                .map(patch -> patch(patch, own, index, buffers, name))
                .toList());
        if (own.ofM().contains(index)) {
            patches.add("{0, ROWS, 0, 0, 0, 0, NULL}");
        } else if (own.columns().contains(index) && patches.isEmpty()) {
            patches.add("{0, NUMBER, 0, " + own.columns().indexOf(index) + ", 0, 0, NULL}");
        }
        if (!patches.isEmpty()) {
            text.append(CData.array("const struct patch patches_" + name + "[]", patches));
        }
        return "{" + block.bytes() + ", " + (plain ? "NULL" : "content_" + name) + ", "
                + (patches.isEmpty() ? "NULL" : "patches_" + name) + ", " + patches.size() + "}";
    }

    private String patch(Block.Patch patch, RangeLaunches own, int index, ProgramBuffers buffers, String name) {
        return switch (patch) {
            case Block.Patch.Address(int at, String buffer, long offset) ->
                "{" + at + ", POINTER, " + buffers.number(buffer) + ", 0, 0, " + offset + ", NULL}";
            case Block.Patch.Map(int at, String buffer, long offset, TensorMap map) -> {
                text.append("static const struct tensor_map map_" + name + " = " + map(map, own, index) + ";\n");
                yield "{" + at + ", TENSOR_MAP, " + buffers.number(buffer) + ", 0, 0, " + offset + ", &map_" + name
                        + "}";
            }
            case Block.Patch.Scale(int at) -> "{" + at + ", SCALE, 0, 0, 0, 0, NULL}";
            case Block.Patch.Dealt(int at, int dealt) ->
                "{" + at + ", DEALT, 0, " + own.columns().indexOf(index) + ", " + dealt + ", 0, NULL}";
        };
    }

    private static String map(TensorMap map, RangeLaunches own, int index) {
        MapNumbers numbers = MapNumbers.of(map);
        RangeLaunches.RowsOfMap rows = own.maps().get(index);
        boolean follows =
                Stream.of(rows.dims(), rows.strides()).flatMap(List::stream).anyMatch(each -> each != 0);
        return "{" + numbers.type() + ", " + map.rank() + ", " + numbers.swizzle() + ", " + numbers.promotion() + ", "
                + numbers.fill() + ", " + (follows ? 1 : 0) + ", "
                + CData.list(RangeLaunches.RowsOfMap.fixed(map.dims(), rows.dims())) + ", "
                + CData.list(rows.dims()) + ", "
                + CData.list(RangeLaunches.RowsOfMap.fixed(map.strides(), rows.strides())) + ", "
                + CData.list(rows.strides()) + ", " + CData.list(map.box()) + ", "
                + CData.list(map.elementStrides()) + "}";
    }

    /** All launches, in the order of M. */
    private List<String> rows() {
        return RangeLaunches.inOrder(launches).stream()
                .map(each -> "{" + each.row().from() + ", " + each.row().to() + ", " + each.kernel() + ", "
                        + each.row().grid() + ", "
                        + (each.row().numbers().isEmpty()
                                ? "{0}"
                                : CData.list(each.row().numbers())) + "}")
                .toList();
    }
}
