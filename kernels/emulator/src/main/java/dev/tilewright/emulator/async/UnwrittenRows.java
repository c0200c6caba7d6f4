package dev.tilewright.emulator.async;

import dev.tilewright.emulator.hazard.Unwritten;
import java.util.BitSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rows along M or N of an operand in shared memory of which some element was never written. */
public final class UnwrittenRows {
    private final MatrixReader reader;
    private final BitSet rows = new BitSet();
    private int chunk = -1;
    private int start;
    private @Nullable Unwritten first;

    /** The rows of an operand that is about to be read, chunk by chunk. */
    public UnwrittenRows(MatrixReader reader) {
        this.reader = reader;
    }

    /** The reader comes to its next chunk of 16 bytes. */
    public void next(int at) {
        chunk++;
        start = at;
    }

    /** A byte of the chunk was never written. */
    public void note(int at, Supplier<String> by, Supplier<String> location) {
        rows.set(reader.row(chunk, at - start));
        if (first == null) {
            first = new Unwritten(by, location);
        }
    }

    /** Whether all was written. */
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Whether a row has such an element. */
    public boolean has(int row) {
        return rows.get(row);
    }

    /** The first such read, none if all was written. */
    public @Nullable Unwritten first() {
        return first;
    }
}
