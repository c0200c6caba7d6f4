package dev.tilewright.proof;

import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.tensor.Swizzle;
import dev.tilewright.emulator.tensor.TensorMap;
import dev.tilewright.gemm.launch.FilledBuffer;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.type.ScalarType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The buffers that the host fills for a launch, in the form of the emulator. */
final class FilledBuffers {

    private static final int GUARD = 4096;

    private FilledBuffers() {}

    /** The buffer, under the name of its role. */
    static Buffer buffer(FilledBuffer filled) {
        ByteBuffer content =
                ByteBuffer.allocate(Math.toIntExact(filled.bytes())).order(ByteOrder.LITTLE_ENDIAN);
        List<Argument.Patch> patches = new ArrayList<>();
        switch (filled) {
            case FilledBuffer.Words words -> words.words().forEach(content::putInt);
            case FilledBuffer.Outputs outputs -> {
                for (FilledBuffer.Outputs.Output output : outputs.outputs()) {
                    int row = content.position();
                    output.pointers().forEach((at, start) -> patches.add(new Argument.Patch(row + at, pointer(start))));
                    content.putInt(row + FilledBuffer.Outputs.EXTENTS_AT, output.m());
                    content.putInt(row + FilledBuffer.Outputs.EXTENTS_AT + Integer.BYTES, output.n());
                    content.position(row + FilledBuffer.Outputs.ROW_BYTES);
                }
            }
            case FilledBuffer.Maps maps ->
                maps.maps()
                        .forEach(map -> patches.add(
                                new Argument.Patch(patches.size() * FilledBuffer.Maps.MAP_BYTES, map(map))));
        }
        return new Buffer(filled.role().name(), content.array(), GUARD, true, patches);
    }

    private static Argument pointer(dev.tilewright.gemm.launch.Argument.Pointer pointer) {
        return new Argument.Pointer(pointer.buffer().name(), pointer.offsetBytes());
    }

    static Argument map(dev.tilewright.gemm.launch.Argument.TensorMap map) {
        return new Argument.Map(
                map.buffer().name(),
                map.offsetBytes(),
                TensorMap.tiled(
                        elements(map.type()),
                        map.dims(),
                        map.strides(),
                        map.box(),
                        Swizzle.valueOf(map.swizzle().name())));
    }

    /** As a tensor map knows them: there, numbers of 8 bits are bytes. */
    private static ScalarType elements(DataType type) {
        return switch (type) {
            case BF16 -> ScalarType.BF16;
            case F16 -> ScalarType.F16;
            case F32 -> ScalarType.F32;
            case E4M3, E5M2 -> ScalarType.U8;
        };
    }
}
