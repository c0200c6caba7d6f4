package dev.tilewright.emulator.memory;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.number.Bytes;
import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.order.Actor;
import dev.tilewright.emulator.order.Flags;
import dev.tilewright.emulator.order.GlobalShadow;
import dev.tilewright.emulator.order.Order;
import dev.tilewright.emulator.run.Buffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Global memory: buffers far apart, with nothing but out of bounds between them. */
public final class GlobalMemory {
    private static final long FIRST = 0x7F00_0000_0000L;
    private static final long ALIGNMENT = 512;

    /**
     * A buffer with its global address.
     *
     * @param shadow the last accesses of each byte
     * @param written bytes that have a value, null if all have
     */
    public record GlobalBuffer(
            String name,
            long base,
            byte[] data,
            GlobalShadow shadow,
            @Nullable BitSet written) {
        long end() {
            return base + data.length;
        }

        private boolean has(int at, int bytes) {
            return at >= 0 && at + bytes <= data.length;
        }

        private void requireWritten(int at, int bytes, String access) {
            if (written != null && written.nextClearBit(at) < at + bytes) {
                throw new HazardFound(new Hazard.UninitialisedRead(access + " of byte " + written.nextClearBit(at)
                        + " of buffer " + name + ", which nobody has written"));
            }
        }

        private void markWritten(int at, int bytes) {
            if (written != null) {
                written.set(at, at + bytes);
            }
        }
    }

    private final List<GlobalBuffer> buffers = new ArrayList<>();
    private final Order order;
    private final Flags flags = new Flags();
    private GlobalBuffer last;

    /** Copies the buffers into memory, in their order, at addresses far apart. */
    public GlobalMemory(List<Buffer> contents, Order order) {
        this.order = order;
        long next = FIRST;
        for (Buffer buffer : contents) {
            long base = Math.ceilDiv(next + buffer.guard(), ALIGNMENT) * ALIGNMENT;
            byte[] data = buffer.content().clone();
            buffers.add(new GlobalBuffer(
                    buffer.name(),
                    base,
                    data,
                    new GlobalShadow(buffer.name(), data.length),
                    buffer.initialised() ? null : new BitSet(data.length)));
            next = base + buffer.content().length + buffer.guard();
        }
        last = buffers.isEmpty()
                ? new GlobalBuffer("none", 0, new byte[0], new GlobalShadow("none", 0), null)
                : buffers.getFirst();
    }

    /** Adds a buffer at an address of its own, away from the others. */
    public void add(String name, long base, byte[] data) {
        buffers.add(new GlobalBuffer(name, base, data, new GlobalShadow(name, data.length), null));
    }

    /** The buffer of that name. */
    public GlobalBuffer named(String name) {
        return buffers.stream()
                .filter(buffer -> buffer.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no buffer named " + name + ", there are "
                        + buffers.stream().map(GlobalBuffer::name).toList()));
    }

    /** The bytes of all buffers by name. */
    public Map<String, byte[]> contents() {
        Map<String, byte[]> contents = new HashMap<>();
        buffers.forEach(buffer -> contents.put(buffer.name(), buffer.data()));
        return contents;
    }

    /** Whether a buffer holds all these bytes. */
    public boolean holds(long address, long bytes) {
        return find(address, bytes) != null;
    }

    /** The buffer that holds all these bytes. */
    public GlobalBuffer holding(long address, long bytes, String access) {
        GlobalBuffer found = find(address, bytes);
        if (found == null) {
            throw new HazardFound(new Hazard.OutOfBounds(access + " of " + bytes + " bytes at " + describe(address)));
        }
        return found;
    }

    private @Nullable GlobalBuffer find(long address, long bytes) {
        GlobalBuffer found = last;
        if (address >= found.base() && address + bytes <= found.end()) {
            return found;
        }
        for (GlobalBuffer buffer : buffers) {
            if (address >= buffer.base() && address + bytes <= buffer.end()) {
                last = buffer;
                return buffer;
            }
        }
        return null;
    }

    /** An address in a buffer by its name, such as {@code COUNTER+4}. */
    public String nameOf(long address) {
        GlobalBuffer buffer = holding(address, 1, "read");
        return buffer.name() + "+" + (address - buffer.base());
    }

    /** An address in terms of the nearest buffer. */
    public String describe(long address) {
        GlobalBuffer nearest = null;
        long distance = Long.MAX_VALUE;
        for (GlobalBuffer buffer : buffers) {
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
        GlobalBuffer buffer = holding(address, bytes, "read");
        int at = (int) (address - buffer.base());
        Actor actor = order.acting();
        if (actor != null) {
            requireBehindGridAhead(actor, buffer, at);
            flags.read(actor, address);
            if (!actor.access().updates()) {
                buffer.shadow().read(actor, at, bytes);
            }
        }
        buffer.requireWritten(at, bytes, "a load");
        return Bytes.get(buffer.data(), at, bytes);
    }

    private void requireBehindGridAhead(Actor actor, GlobalBuffer buffer, int at) {
        if (order.mayMeetGridAhead(actor)) {
            throw new HazardFound(new Hazard.GridAheadNotAwaited(
                    actor.access().what(), "byte " + at + " of buffer " + buffer.name()));
        }
    }

    // ---- asynchronous work --------------------------------------------------------------------------------------

    /**
     * A copy that whoever acts issues will read ranges of a buffer.
     *
     * @param within an address in the buffer
     * @param ranges by address; what lies outside of the buffer shows when the copy goes on
     */
    public void bulkRead(Access access, long within, GlobalRanges ranges) {
        Actor actor = order.acting();
        GlobalBuffer buffer = find(within, 1);
        if (actor == null || buffer == null) {
            return;
        }
        requireBehindGridAhead(actor, buffer, (int) (within - buffer.base()));
        GlobalShadow.Ranges offsets = visitor -> ranges.each((address, bytes) -> {
            int at = (int) (address - buffer.base());
            if (buffer.has(at, bytes)) {
                visitor.range(at, bytes);
            }
        });
        buffer.shadow().bulkRead(actor, access, offsets);
        if (buffer.written() != null) {
            offsets.each((at, bytes) -> buffer.requireWritten(at, bytes, "a copy"));
        }
    }

    /** A cp.async that whoever acts issues will read some bytes as an ordinary load does, only later. */
    public void copyRead(Access access, long address, int bytes) {
        GlobalBuffer buffer = holding(address, bytes, "cp.async");
        int at = (int) (address - buffer.base());
        Actor actor = order.acting();
        if (actor != null) {
            requireBehindGridAhead(actor, buffer, at);
            buffer.shadow().read(actor, access, at, bytes);
        }
        buffer.requireWritten(at, bytes, "a cp.async");
    }

    /** Asynchronous work that whoever acts issues will write a range. */
    public void bulkWrite(Access access, long address, int bytes) {
        Actor actor = order.acting();
        GlobalBuffer buffer = find(address, bytes);
        if (actor == null || buffer == null) {
            return;
        }
        int at = (int) (address - buffer.base());
        requireBehindGridAhead(actor, buffer, at);
        if (access.updates()) {
            buffer.requireWritten(at, bytes, "a reduction");
        }
        buffer.shadow().bulkWrite(actor, access, at, bytes);
    }

    /** Asynchronous work has written a range. */
    public void bulkWritten(GlobalBuffer buffer, long address, int bytes) {
        buffer.markWritten((int) (address - buffer.base()), bytes);
    }

    /** Receives a range of addresses. */
    @FunctionalInterface
    public interface GlobalRangeVisitor {
        void range(long address, int bytes);
    }

    /** Ranges that are accessed together. */
    @FunctionalInterface
    public interface GlobalRanges {
        void each(GlobalRangeVisitor visitor);
    }

    // ---- ordinary loads and stores ------------------------------------------------------------------------------

    /** Writes 1, 2, 4 or 8 bytes. */
    public void write(long address, int bytes, long value) {
        GlobalBuffer buffer = holding(address, bytes, "write");
        int at = (int) (address - buffer.base());
        Actor actor = order.acting();
        if (actor != null) {
            requireBehindGridAhead(actor, buffer, at);
            buffer.shadow().write(actor, at, bytes, Bytes.isSame(buffer.data(), at, bytes, value));
            flags.write(actor, address);
        }
        buffer.markWritten(at, bytes);
        Bytes.put(buffer.data(), at, bytes, value);
    }
}
