package dev.tilewright.emulator.memory;

import dev.tilewright.emulator.Buffer;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Global memory: buffers far apart, with nothing but out of bounds between them. */
public final class GlobalMemory {
    private static final long FIRST = 0x7F00_0000_0000L;
    private static final long ALIGNMENT = 512;

    /** A buffer in its place. */
    public record Placed(String name, long base, byte[] data) {
        long end() {
            return base + data.length;
        }
    }

    private final List<Placed> buffers = new ArrayList<>();
    private Placed last;

    /** Places copies of the buffers, in their order. */
    public GlobalMemory(List<Buffer> contents) {
        long next = FIRST;
        for (Buffer buffer : contents) {
            long base = Math.ceilDiv(next + buffer.guard(), ALIGNMENT) * ALIGNMENT;
            buffers.add(new Placed(buffer.name(), base, buffer.content().clone()));
            next = base + buffer.content().length + buffer.guard();
        }
        last = buffers.isEmpty() ? new Placed("none", 0, new byte[0]) : buffers.getFirst();
    }

    /** Adds a buffer at an address of its own, away from the others. */
    public void place(String name, long base, byte[] data) {
        buffers.add(new Placed(name, base, data));
    }

    /** The buffer of that name. */
    public Placed named(String name) {
        return buffers.stream()
                .filter(buffer -> buffer.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no buffer named " + name + ", there are "
                        + buffers.stream().map(Placed::name).toList()));
    }

    /** The bytes of all buffers by name. */
    public Map<String, byte[]> contents() {
        Map<String, byte[]> contents = new HashMap<>();
        buffers.forEach(buffer -> contents.put(buffer.name(), buffer.data()));
        return contents;
    }

    /** The buffer that holds all these bytes. */
    public Placed holding(long address, long bytes, String access) {
        Placed found = last;
        if (address >= found.base() && address + bytes <= found.end()) {
            return found;
        }
        for (Placed buffer : buffers) {
            if (address >= buffer.base() && address + bytes <= buffer.end()) {
                last = buffer;
                return buffer;
            }
        }
        throw new HazardFound(new Hazard.OutOfBounds(access + " of " + bytes + " bytes at " + describe(address)));
    }

    /** An address in terms of the nearest buffer. */
    public String describe(long address) {
        Placed nearest = null;
        long distance = Long.MAX_VALUE;
        for (Placed buffer : buffers) {
            long off = address < buffer.base() ? buffer.base() - address : Math.max(0, address - buffer.end());
            if (off < distance) {
                distance = off;
                nearest = buffer;
            }
        }
        String hex = "global 0x" + Long.toHexString(address);
        return nearest == null
                ? hex
                : hex + " (byte " + (address - nearest.base()) + " of buffer " + nearest.name() + ", which has "
                        + nearest.data().length + ")";
    }

    /** Reads 1, 2, 4 or 8 bytes. */
    public long read(long address, int bytes) {
        Placed buffer = holding(address, bytes, "read");
        return Bytes.get(buffer.data(), (int) (address - buffer.base()), bytes);
    }

    /** Writes 1, 2, 4 or 8 bytes. */
    public void write(long address, int bytes, long value) {
        Placed buffer = holding(address, bytes, "write");
        Bytes.put(buffer.data(), (int) (address - buffer.base()), bytes, value);
    }
}
