package dev.tilewright.emulator.async;

import dev.tilewright.emulator.memory.GlobalMemory;
import dev.tilewright.emulator.memory.GlobalMemory.GlobalBuffer;
import dev.tilewright.emulator.memory.SharedMemory;
import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.order.BulkRead;
import dev.tilewright.emulator.order.Needs;
import dev.tilewright.emulator.tensor.BoxWalk;
import dev.tilewright.emulator.tensor.TensorMap;
import dev.tilewright.emulator.warp.Origin;
import java.util.ArrayList;
import java.util.List;

/**
 * A copy or reduction from shared to global memory: reads its shared memory some time, writes later. It owns what it
 * reads until its thread has waited.
 */
public final class BulkStore implements PendingOperation, BulkRead {
    private static final int CHUNK = 16;

    /** A piece of a row: where it lies, and where it goes. */
    private record Piece(int shared, long global, int bytes) {}

    /** How a value of global memory and one of shared memory become one; plain stores take the latter. */
    @FunctionalInterface
    public interface Combine {
        /** Puts {@code bytes} bytes from {@code source} into {@code target}. */
        void into(byte[] target, int at, byte[] source, int from, int bytes);
    }

    private final Origin origin;
    private final SharedMemory shared;
    private final GlobalMemory global;
    private final Combine combine;
    private final Access reading;
    private final Access writing;
    private final Needs needs = new Needs();
    private final List<Piece> pieces = new ArrayList<>();
    private final List<int[]> claims = new ArrayList<>();
    private final List<byte[]> values = new ArrayList<>();
    /** Whether the lane before has issued the same, whose writing is noted for both. */
    private final boolean again;

    private boolean read;
    private boolean written;
    private boolean released;

    private BulkStore(
            Origin origin,
            BulkGroups groups,
            SharedMemory shared,
            GlobalMemory global,
            Combine combine,
            boolean again) {
        this.again = again;
        this.origin = origin;
        this.shared = shared;
        this.global = global;
        this.combine = combine;
        reading = groups.reading(origin);
        writing = groups.writing(origin);
    }

    /**
     * Bytes in a row.
     *
     * @param again whether the lane before has issued the same
     */
    public static BulkStore range(
            Origin origin,
            BulkGroups groups,
            SharedMemory shared,
            int from,
            GlobalMemory global,
            long to,
            int bytes,
            Combine combine,
            boolean again) {
        BulkStore store = new BulkStore(origin, groups, shared, global, combine, again);
        global.holding(to, bytes, "bulk store");
        store.claim(from, bytes);
        store.willWrite(to, bytes);
        store.pieces.add(new Piece(from, to, bytes));
        return store;
    }

    /**
     * A box of a tensor; what lies outside is not written.
     *
     * @param again whether the lane before has issued the same
     */
    public static BulkStore box(
            Origin origin,
            BulkGroups groups,
            SharedMemory shared,
            int from,
            GlobalMemory global,
            TensorMap map,
            long base,
            int[] coordinates,
            Combine combine,
            boolean again) {
        BulkStore store = new BulkStore(origin, groups, shared, global, combine, again);
        BoxWalk.walk(map, coordinates, (row, offset, skip, inside) -> {
            for (int at = 0; at < map.rowBytes(); at += CHUNK) {
                int swizzled = map.swizzle().apply(from + row + at);
                int first = Math.max(at, skip);
                int end = Math.min(at + CHUNK, skip + inside);
                if (first < end) {
                    store.claim(swizzled, CHUNK);
                    store.pieces.add(new Piece(swizzled + first - at, base + offset + first, end - first));
                }
            }
            if (inside > 0) {
                store.willWrite(base + offset + skip, inside);
            }
        });
        return store;
    }

    private void willWrite(long to, int bytes) {
        if (!again) {
            global.bulkWrite(writing, to, bytes);
        }
    }

    private void claim(int at, int bytes) {
        shared.claim(at, bytes, this);
        claims.add(new int[] {at, bytes});
    }

    @Override
    public Access reading() {
        return reading;
    }

    @Override
    public Needs needs() {
        return needs;
    }

    @Override
    public Origin origin() {
        return origin;
    }

    @Override
    public boolean advance() {
        if (written) {
            return true;
        }
        if (!read) {
            finishReading();
            return false;
        }
        finishWriting();
        return true;
    }

    /** Reads what is not read yet. */
    void finishReading() {
        if (!read) {
            for (Piece piece : pieces) {
                byte[] value = new byte[piece.bytes];
                System.arraycopy(shared.data(), piece.shared, value, 0, piece.bytes);
                values.add(value);
            }
            read = true;
        }
    }

    /** Writes what is not written yet. */
    void finishWriting() {
        finishReading();
        if (!written) {
            for (int i = 0; i < pieces.size(); i++) {
                Piece piece = pieces.get(i);
                GlobalBuffer to = global.holding(piece.global, piece.bytes, "bulk store");
                combine.into(to.data(), (int) (piece.global - to.base()), values.get(i), 0, piece.bytes);
                global.bulkWritten(to, piece.global, piece.bytes);
            }
            values.clear();
            written = true;
        }
    }

    /** Its thread has waited for the reading. */
    void release() {
        if (!released) {
            claims.forEach(claim -> shared.release(claim[0], claim[1]));
            claims.clear();
            released = true;
        }
    }

    boolean isReleased() {
        return released;
    }

    @Override
    public String toString() {
        return "the bulk store of " + origin;
    }
}
