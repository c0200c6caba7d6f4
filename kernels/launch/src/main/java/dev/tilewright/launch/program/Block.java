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
import java.util.List;
import java.util.Optional;

/**
 * The bytes of a parameter or of a buffer, as far as they are known when a program is written.
 *
 * @param content empty where all bytes are 0
 * @param patches what is written over them when a program knows its operands and its GPU
 */
record Block(long bytes, byte[] content, List<Patch> patches) {

    /** A value that is written at an offset. */
    sealed interface Patch {
        int at();

        /** The address of a byte of a buffer. */
        record Address(int at, String buffer, long offset) implements Patch {}

        /** A tensor map. */
        record Map(int at, String buffer, long offset, TensorMap map) implements Patch {}

        /** The scale, an f32. */
        record Scale(int at) implements Patch {}

        /** A number of the deal of clusters, a u32, by its index in {@link Block#deal}. */
        record Dealt(int at, int index) implements Patch {}
    }

    /** A parameter. */
    static Block of(KernelParameter parameter) {
        return of(parameter.bytes(), List.of(new Field(0, parameter)), new byte[0]);
    }

    /** The content of a buffer before launches; empty if the buffer is kept or zeroed. */
    static Optional<Block> of(BufferDescription buffer) {
        return switch (buffer.fill()) {
            case Fill.Packed(byte[] content, String _) ->
                Optional.of(of(buffer.bytes(), List.of(), spread(content, buffer)));
            case Fill.Fields(List<Field> fields) -> Optional.of(of(buffer.bytes(), fields, new byte[0]));
            case Fill.Uninitialised _, Fill.Poison _, Fill.Zeros _, Fill.Constant _ -> Optional.empty();
            case Fill.Iota _, Fill.Identity _, Fill.Normal _, Fill.Integers _, Fill.LogUniform _ -> Optional.empty();
        };
    }

    /** How clusters are dealt as the launch says it: the numbers of {@link ScalarRole} behind the scale. */
    static long[] deal(LaunchDescription launch) {
        long[] deal = new long[ScalarRole.values().length - 1];
        for (KernelParameter parameter : launch.parameters()) {
            if (parameter instanceof KernelParameter.Scalar(var _, long bits, var role)) {
                role.filter(is -> is != ScalarRole.SCALE).ifPresent(is -> deal[index(is)] = bits);
            }
        }
        return deal;
    }

    private static int index(ScalarRole role) {
        return role.ordinal() - ScalarRole.FIRST_DEALT.ordinal();
    }

    private static Block of(long size, List<Field> fields, byte[] given) {
        byte[] content = given.length == 0 ? new byte[Math.toIntExact(size)] : given;
        List<Patch> patches = new ArrayList<>();
        fields.forEach(field -> lay(field.at(), field.value(), content, patches));
        return new Block(size, allZero(content) ? new byte[0] : content, patches);
    }

    /** Rows that lie one behind the other, as far apart as the buffer has them; what lies between is 0. */
    private static byte[] spread(byte[] packed, BufferDescription buffer) {
        int row = buffer.columns() * buffer.type().bytes();
        byte[] content = new byte[Math.toIntExact(buffer.bytes())];
        for (int i = 0; i < buffer.rows(); i++) {
            System.arraycopy(packed, i * row, content, buffer.offset(i, 0), row);
        }
        return content;
    }

    private static boolean allZero(byte[] content) {
        for (byte each : content) {
            if (each != 0) {
                return false;
            }
        }
        return true;
    }

    private static void lay(int at, KernelParameter value, byte[] content, List<Patch> patches) {
        switch (value) {
            case KernelParameter.Scalar(ElementType type, long bits, Optional<ScalarRole> role) -> {
                Elements.put(content, at, type, bits);
                role.ifPresent(is ->
                        patches.add(is == ScalarRole.SCALE ? new Patch.Scale(at) : new Patch.Dealt(at, index(is))));
            }
            case KernelParameter.Pointer(String buffer, long offset) ->
                patches.add(new Patch.Address(at, buffer, offset));
            case KernelParameter.MapByValue(String buffer, long offset, TensorMap map) ->
                patches.add(new Patch.Map(at, buffer, offset, map));
            case KernelParameter.Raw(byte[] raw) -> System.arraycopy(raw, 0, content, at, raw.length);
            case KernelParameter.NullPointer _ -> {}
            case KernelParameter.Struct(int _, List<Field> fields) ->
                fields.forEach(field -> lay(at + field.at(), field.value(), content, patches));
        }
    }
}
