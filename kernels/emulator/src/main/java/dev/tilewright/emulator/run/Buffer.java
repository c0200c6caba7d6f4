package dev.tilewright.emulator.run;

import java.util.Arrays;
import java.util.List;

/**
 * A buffer in global memory.
 *
 * @param content its bytes before the launch; never written to
 * @param guard bytes on both sides in which any access is out of bounds
 * @param initialised whether the content may be read; if not, reading what the kernel has not written is a hazard
 * @param patches pointers and tensor maps, whose bytes only a launch knows, laid over the content
 */
public record Buffer(String name, byte[] content, int guard, boolean initialised, List<Argument.Patch> patches) {
    private static final int GUARD = 4096;
    private static final byte POISON = (byte) 0xA5;

    public Buffer {
        if (content.length == 0 || guard < 0) {
            throw new IllegalArgumentException("buffer " + name + ": needs bytes and a guard of 0 or more, got "
                    + content.length + " and " + guard);
        }
        patches = List.copyOf(patches);
        for (Argument.Patch patch : patches) {
            if (patch.offset() + patch.bytes() > content.length) {
                throw new IllegalArgumentException(
                        "buffer " + name + " has " + content.length + " bytes, of which none is left for " + patch);
            }
        }
    }

    /** A buffer without pointers or tensor maps. */
    public Buffer(String name, byte[] content, int guard, boolean initialised) {
        this(name, content, guard, initialised, List.of());
    }

    /** A buffer whose content may be read. */
    public Buffer(String name, byte[] content, int guard) {
        this(name, content, guard, true);
    }

    /** A buffer with a guard of 4096 bytes. */
    public static Buffer of(String name, byte[] content) {
        return new Buffer(name, content, GUARD);
    }

    /** Bytes that nobody has written; what is left of them after a run is 0xA5. Guard of 4096 bytes. */
    public static Buffer uninitialised(String name, int bytes) {
        byte[] poison = new byte[bytes];
        Arrays.fill(poison, POISON);
        return uninitialised(name, poison);
    }

    /** As {@link #uninitialised(String, int)}, with a poison by which to know what was left alone. */
    public static Buffer uninitialised(String name, byte[] poison) {
        return new Buffer(name, poison, GUARD, false);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Buffer b
                && name.equals(b.name)
                && guard == b.guard
                && initialised == b.initialised
                && Arrays.equals(content, b.content)
                && patches.equals(b.patches);
    }

    @Override
    public int hashCode() {
        return name.hashCode() * 31 + Arrays.hashCode(content);
    }
}
