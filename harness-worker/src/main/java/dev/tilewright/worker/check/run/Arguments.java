package dev.tilewright.worker.check.run;

import dev.tilewright.emulator.Argument;
import dev.tilewright.emulator.tensor.TensorMap;
import dev.tilewright.worker.check.element.ElementType;
import dev.tilewright.worker.check.element.Elements;
import dev.tilewright.worker.check.launch.KernelParameter;
import dev.tilewright.worker.check.launch.KernelParameter.Field;
import java.util.ArrayList;
import java.util.List;

/** Turns described parameters into arguments of the emulator. */
final class Arguments {
    private Arguments() {}

    static List<Argument> of(List<KernelParameter> parameters) {
        return parameters.stream().map(Arguments::argument).toList();
    }

    private static Argument argument(KernelParameter parameter) {
        return switch (parameter) {
            case KernelParameter.Pointer(String buffer, long offset) -> new Argument.Pointer(buffer, offset);
            case KernelParameter.MapByValue(String buffer, long offset, TensorMap map) ->
                new Argument.Map(buffer, offset, map);
            case KernelParameter.Struct(int size, List<Field> fields) -> struct(size, fields);
            case KernelParameter.Scalar _, KernelParameter.NullPointer _, KernelParameter.Raw _ ->
                new Argument.Bytes(bytes(parameter), List.of());
        };
    }

    private static Argument struct(int size, List<Field> fields) {
        byte[] content = new byte[size];
        return new Argument.Bytes(content, lay(fields, content));
    }

    /** Writes fields into their bytes, and gives those that only a launch can write. */
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

    /** The bytes of what no launch has to place. */
    private static byte[] bytes(KernelParameter parameter) {
        byte[] bytes = new byte[parameter.bytes()];
        switch (parameter) {
            case KernelParameter.Scalar(ElementType type, long bits) -> Elements.put(bytes, 0, type, bits);
            case KernelParameter.Raw(byte[] content) -> System.arraycopy(content, 0, bytes, 0, bytes.length);
            case KernelParameter.NullPointer _ -> {}
            case KernelParameter.Pointer _, KernelParameter.MapByValue _, KernelParameter.Struct _ ->
                throw new IllegalArgumentException("no bytes of its own: " + parameter);
        }
        return bytes;
    }
}
