package dev.tilewright.launch.reader;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.element.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/**
 * Writes what a buffer holds as NumPy's array file, version 1. What NumPy has no type for, such as bf16, becomes
 * unsigned integers of the same size; what lies between rows is left out.
 */
public final class NpyWriter {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    private static final int ALIGNMENT = 64;

    private NpyWriter() {}

    /** The file of a buffer's bytes. */
    public static byte[] file(BufferDescription buffer, byte[] content) {
        String shape = buffer.shape().stream().map(String::valueOf).collect(Collectors.joining(", "));
        String header =
                "{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }".formatted(descr(buffer.type()), shape);
        int start = MAGIC.length + Short.BYTES;
        int length = Math.ceilDiv(start + header.length() + 1, ALIGNMENT) * ALIGNMENT - start;
        int row = buffer.columns() * buffer.type().bytes();
        ByteBuffer file =
                ByteBuffer.allocate(start + length + buffer.rows() * row).order(ByteOrder.LITTLE_ENDIAN);
        file.put(MAGIC).putShort((short) length);
        file.put((header + " ".repeat(length - header.length() - 1) + "\n").getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < buffer.rows(); i++) {
            file.put(content, buffer.offset(i, 0), row);
        }
        return file.array();
    }

    private static String descr(ElementType type) {
        String kind = switch (type) {
            case S8, S16, S32, S64 -> "i";
            case F16, F32, F64, TF32 -> "f";
            case U8, U16, U32, U64, BF16, E4M3, E5M2 -> "u";
        };
        return (type.bytes() == 1 ? "|" : "<") + kind + type.bytes();
    }
}
