package dev.tilewright.emulator.memory;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.number.Bytes;
import java.util.Arrays;

/**
 * The local memory of the lanes of one warp, with what they have written. A read of which no byte was written is a
 * hazard; one of which some were is not, for compilers copy structs with the gaps in them.
 */
public final class LocalMemory {
    private final int start;
    private final int bytes;
    private final byte[] data;
    private final boolean[] written;

    /**
     * Fresh memory.
     *
     * @param end of each lane's memory, which begins at {@link AddressSpace#LOCAL_START}
     */
    public LocalMemory(int lanes, int end) {
        start = AddressSpace.LOCAL_START;
        bytes = end - start;
        data = new byte[lanes * bytes];
        written = new boolean[lanes * bytes];
        Arrays.fill(data, (byte) 0xFF);
    }

    /** Reads 1, 2, 4 or 8 bytes. */
    public long read(int lane, long address, int count) {
        int at = at(lane, address, count, "read");
        for (int i = at; i < at + count; i++) {
            if (written[i]) {
                return Bytes.get(data, at, count);
            }
        }
        throw new HazardFound(new Hazard.UninitialisedRead(describe(lane, address, count)));
    }

    /** Writes 1, 2, 4 or 8 bytes. */
    public void write(int lane, long address, int count, long value) {
        int at = at(lane, address, count, "write");
        Arrays.fill(written, at, at + count, true);
        Bytes.put(data, at, count, value);
    }

    private int at(int lane, long address, int count, String access) {
        if (address < start || address + count > start + bytes) {
            throw new HazardFound(
                    new Hazard.OutOfBounds(access + " of " + describe(lane, address, count) + ", which has " + bytes));
        }
        return lane * bytes + (int) (address - start);
    }

    private String describe(int lane, long address, int count) {
        return count + " bytes at byte " + (address - start) + " of the local memory of lane " + lane;
    }
}
