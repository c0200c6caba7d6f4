package dev.tilewright.launch.program;

import dev.tilewright.launch.Extents;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import dev.tilewright.launch.TensorMap;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The launches of a range as the literals of {@code range.py.txt}. */
record PythonRangeData(RangeProgram range, List<RangeLaunches> all) {

    String kernels() {
        return IntStream.range(0, all.size()).mapToObj(this::kernel).collect(Collectors.joining());
    }

    private String kernel(int number) {
        RangeLaunches own = all.get(number);
        LaunchDescription like = own.like();
        ProgramBuffers buffers = ProgramBuffers.of(like);
        String image = range.name() + "_" + number
                + (range.members().get(number).cubin().isPresent() ? ".cubin" : ".ptx");
        return "    # " + range.members().get(number).title() + "\n    (\""
                + like.entry().orElseThrow() + "\", \""
                + image + "\", "
                + like.block().x() + ", " + like.cluster().orElse(Extents.of(1)).x() + ", " + like.dynamicShared()
                + ", " + PythonData.truth(ProgramBuffers.passes(like, ScalarRole.GPCS)) + ", "
                + IntStream.range(0, buffers.own().size())
                        .mapToObj(i -> "(" + own.ownBytes().get(i) + ", \""
                                + PythonData.words(ProgramBuffers.preparation(
                                        like, buffers.own().get(i)))
                                + "\")")
                        .collect(Collectors.joining(", ", "[", "]"))
                + ", [\n"
                + IntStream.range(0, like.parameters().size())
                        .mapToObj(i -> "        " + parameter(own, i, buffers) + ",\n")
                        .collect(Collectors.joining())
                + "    ]),\n";
    }

    private static String parameter(RangeLaunches own, int index, ProgramBuffers buffers) {
        Block block = Block.of(own.like().parameters().get(index));
        List<String> patches = new ArrayList<>(block.patches().stream()
                .map(patch -> patch(patch, own, index, buffers))
                .toList());
        if (own.ofM().contains(index)) {
            patches.add("(\"rows\", 0)");
        } else if (own.columns().contains(index) && patches.isEmpty()) {
            patches.add("(\"number\", 0, " + own.columns().indexOf(index) + ")");
        }
        String content =
                block.content().length == 0 ? "None" : "\"" + HexFormat.of().formatHex(block.content()) + "\"";
        return "(" + block.bytes() + ", " + content + ", [" + String.join(", ", patches) + "])";
    }

    private static String patch(Block.Patch patch, RangeLaunches own, int index, ProgramBuffers buffers) {
        return switch (patch) {
            case Block.Patch.Address(int at, String buffer, long offset) ->
                "(\"address\", " + at + ", " + buffers.number(buffer) + ", " + offset + ")";
            case Block.Patch.Map(int at, String buffer, long offset, TensorMap map) ->
                "(\"map\", " + at + ", " + buffers.number(buffer) + ", " + offset + ", "
                        + map(map, own.maps().get(index)) + ")";
            case Block.Patch.Scale(int at) -> "(\"scale\", " + at + ")";
            case Block.Patch.Dealt(int at, int dealt) ->
                "(\"dealt\", " + at + ", " + own.columns().indexOf(index) + ", " + dealt + ")";
        };
    }

    private static String map(TensorMap map, RangeLaunches.RowsOfMap rows) {
        MapNumbers numbers = MapNumbers.of(map);
        return "(" + numbers.type() + ", " + numbers.swizzle() + ", " + numbers.promotion() + ", " + numbers.fill()
                + ", " + PythonData.list(RangeLaunches.RowsOfMap.fixed(map.dims(), rows.dims())) + ", "
                + PythonData.list(rows.dims())
                + ", " + PythonData.list(RangeLaunches.RowsOfMap.fixed(map.strides(), rows.strides())) + ", "
                + PythonData.list(rows.strides()) + ", " + PythonData.list(map.box()) + ", "
                + PythonData.list(map.elementStrides()) + ")";
    }

    String launches() {
        return RangeLaunches.inOrder(all).stream()
                .map(each -> "    (" + each.row().from() + ", " + each.row().to() + ", " + each.kernel() + ", "
                        + each.row().grid()
                        + each.row().numbers().stream()
                                .map(number -> ", " + number)
                                .collect(Collectors.joining())
                        + "),\n")
                .collect(Collectors.joining());
    }
}
