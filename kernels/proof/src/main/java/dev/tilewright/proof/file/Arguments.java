package dev.tilewright.proof.file;

import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.tensor.Swizzle;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.KernelParameter.Field;
import dev.tilewright.launch.TensorMap;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.ptx.type.ScalarType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Arguments of a described launch, as the emulator takes them. */
final class Arguments {
    private Arguments() {}

    /** The arguments of a launch, with buffers by their names. */
    static List<Argument> of(List<KernelParameter> parameters) {
        return parameters.stream().map(Arguments::argument).toList();
    }

    static Dim3 extents(Extents extents) {
        return new Dim3(extents.x(), extents.y(), extents.z());
    }

    private static Argument argument(KernelParameter parameter) {
        return switch (parameter) {
            case KernelParameter.Pointer(String buffer, long offset) -> new Argument.Pointer(buffer, offset);
            case KernelParameter.MapByValue(String buffer, long offset, TensorMap map) ->
                new Argument.Map(buffer, offset, emulated(map));
            case KernelParameter.Struct(int size, List<Field> fields) -> struct(size, fields);
            case KernelParameter.Scalar _, KernelParameter.NullPointer _, KernelParameter.Raw _ ->
                new Argument.Bytes(bytes(parameter), List.of());
        };
    }

    private static Argument struct(int size, List<Field> fields) {
        byte[] content = new byte[size];
        return new Argument.Bytes(content, lay(fields, content));
    }

    /** Writes fields into their bytes. Returns the fields that only a launch can write. */
    static List<Argument.Patch> lay(List<Field> fields, byte[] content) {
        List<Argument.Patch> patches = new ArrayList<>();
        for (Field field : fields) {
            switch (field.value()) {
                case KernelParameter.Pointer _, KernelParameter.MapByValue _ ->
                    patches.add(new Argument.Patch(field.at(), argument(field.value())));
                case KernelParameter.Scalar _, KernelParameter.NullPointer _, KernelParameter.Raw _ -> {
                    byte[] bytes = bytes(field.value());
                    System.arraycopy(bytes, 0, content, field.at(), bytes.length);
                }
                case KernelParameter.Struct _ ->
                    throw new IllegalArgumentException("a field is no struct itself, got one at " + field.at());
            }
        }
        return patches;
    }

    /** The bytes of an argument that does not depend on addresses of the launch. */
    private static byte[] bytes(KernelParameter parameter) {
        byte[] bytes = new byte[parameter.bytes()];
        switch (parameter) {
            case KernelParameter.Scalar(ElementType type, long bits, var _) -> Elements.put(bytes, 0, type, bits);
            case KernelParameter.Raw(byte[] content) -> System.arraycopy(content, 0, bytes, 0, bytes.length);
            case KernelParameter.NullPointer _ -> {}
            case KernelParameter.Pointer _, KernelParameter.MapByValue _, KernelParameter.Struct _ ->
                throw new IllegalArgumentException("no bytes of its own: " + parameter);
        }
        return bytes;
    }

    private static dev.tilewright.emulator.tensor.TensorMap emulated(TensorMap map) {
        return new dev.tilewright.emulator.tensor.TensorMap(
                scalarType(map.type()),
                map.dims(),
                map.strides(),
                map.box(),
                map.elementStrides(),
                swizzle(map.swizzleBytes()),
                map.fillNan());
    }

    private static Swizzle swizzle(int bytes) {
        return Stream.of(Swizzle.values())
                .filter(swizzle -> swizzle.span() == bytes)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no swizzle of " + bytes + " bytes"));
    }

    /** 8-bit floats travel as bytes, tf32 as f32. */
    private static ScalarType scalarType(ElementType type) {
        return switch (type) {
            case U8, E4M3, E5M2 -> ScalarType.U8;
            case S8 -> ScalarType.S8;
            case U16 -> ScalarType.U16;
            case S16 -> ScalarType.S16;
            case U32 -> ScalarType.U32;
            case S32 -> ScalarType.S32;
            case U64 -> ScalarType.U64;
            case S64 -> ScalarType.S64;
            case F16 -> ScalarType.F16;
            case BF16 -> ScalarType.BF16;
            case TF32, F32 -> ScalarType.F32;
            case F64 -> ScalarType.F64;
        };
    }
}
