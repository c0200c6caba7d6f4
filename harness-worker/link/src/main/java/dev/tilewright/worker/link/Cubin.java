package dev.tilewright.worker.link;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;

/**
 * A module for a GPU, as an assembler made it. Two with the same bytes are equal.
 *
 * @param bytes not copied; whoever makes one does not change them afterwards
 */
public record Cubin(@JsonValue byte[] bytes) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Cubin {}

    @Override
    public boolean equals(Object other) {
        return other instanceof Cubin(byte[] theirs) && Arrays.equals(bytes, theirs);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "Cubin[" + bytes.length + " bytes]";
    }
}
