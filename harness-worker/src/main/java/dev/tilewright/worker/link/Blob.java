package dev.tilewright.worker.link;

import java.util.Arrays;

/**
 * Bytes that travel beside the JSON of a frame instead of inside it; in the JSON stands the index of the attachment.
 *
 * @param bytes not copied; whoever makes a blob does not change them afterwards
 */
public record Blob(byte[] bytes) {

    @Override
    public boolean equals(Object other) {
        return other instanceof Blob(byte[] theirs) && Arrays.equals(bytes, theirs);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "Blob[" + bytes.length + " bytes]";
    }
}
