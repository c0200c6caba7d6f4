package dev.tilewright.launch.reader;

import dev.tilewright.launch.element.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * NumPy's array file, versions 1 to 3. What NumPy has no type for, such as bf16, is stored as unsigned integers or as
 * void of the same size.
 */
final class NpyFile {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final Pattern DESCR = Pattern.compile("'descr'\\s*:\\s*'([<>|=])([a-zA-Z])([0-9]{1,3})'");
    private static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([0-9,\\s]*)\\)");

    private NpyFile() {}

    /**
     * The elements of a file, little-endian, the last dimension innermost.
     *
     * @throws IllegalArgumentException if it is no such file, or of another type or shape
     */
    static byte[] elements(byte[] file, ElementType type, List<Long> shape) {
        require(file.length >= 12 && Arrays.equals(file, 0, 6, MAGIC, 0, 6), "is no .npy file");
        int version = file[6];
        require(version >= 1 && version <= 3, "has version " + version + ", known are 1 to 3");
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int start = version == 1 ? 10 : 12;
        long length = version == 1 ? bytes.getShort(8) & 0xFFFF : bytes.getInt(8) & 0xFFFF_FFFFL;
        require(start + length <= file.length, "ends within its header");
        String header = new String(file, start, (int) length, StandardCharsets.UTF_8);
        Matcher order = match(ORDER, header);
        require(order.group(1).equals("False"), "is in Fortran's order; save it in C's order");
        Matcher dimensions = match(SHAPE, header);
        List<Long> found = Stream.of(dimensions.group(1).split(","))
                .map(String::strip)
                .filter(extent -> !extent.isEmpty())
                .map(Long::valueOf)
                .toList();
        require(found.equals(shape), "has shape " + found + ", needed is " + shape);
        Matcher descr = match(DESCR, header);
        int size = Integer.parseInt(descr.group(3));
        String named = descr.group(2) + size;
        require(
                size == type.bytes() && kinds(type).contains(descr.group(2)),
                "holds " + named + ", needed is " + type + " (" + kinds(type) + " of " + type.bytes() + " bytes)");
        require(size == 1 || !descr.group(1).equals(">"), "is big-endian");
        return Arrays.copyOfRange(file, start + (int) length, file.length);
    }

    /** NumPy's letters for what may hold a type. */
    private static String kinds(ElementType type) {
        return switch (type) {
            case U8, U16, U32, U64 -> "u";
            case S8, S16, S32, S64 -> "i";
            case F16, F32, F64, TF32 -> "f";
            case BF16, E4M3, E5M2 -> "uV";
        };
    }

    private static Matcher match(Pattern pattern, String header) {
        Matcher matcher = pattern.matcher(header);
        require(matcher.find(), "has a header that cannot be read: " + header.strip());
        return matcher;
    }

    private static void require(boolean kept, String rule) {
        if (!kept) {
            throw new IllegalArgumentException(rule);
        }
    }
}
