package dev.tilewright.model.problem;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Element type of an operand; written in lower case ({@code bf16}) everywhere outside Java. */
public enum DataType {
    BF16(2),
    F16(2),
    F32(4),
    E4M3(1),
    E5M2(1);

    private final int bytes;
    private final String text = name().toLowerCase(Locale.ROOT);

    DataType(int bytes) {
        this.bytes = bytes;
    }

    /** Size of one element in bytes. */
    public int bytes() {
        return bytes;
    }

    /**
     * Reads the lower-case name.
     *
     * @throws IllegalArgumentException naming the value and the accepted ones
     */
    public static DataType parse(String text) {
        for (DataType type : values()) {
            if (type.text.equals(text)) {
                return type;
            }
        }
        throw new IllegalArgumentException("unknown data type '" + text + "'; known: "
                + Arrays.stream(values()).map(DataType::toString).collect(Collectors.joining(", ")));
    }

    @Override
    public String toString() {
        return text;
    }
}
