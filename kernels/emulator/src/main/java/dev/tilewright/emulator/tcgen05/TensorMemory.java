package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Unwritten;
import dev.tilewright.emulator.order.TensorShadow;
import dev.tilewright.ptx.instruction.Tcgen05;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tensor memory of an SM: 128 lanes by 512 columns of 32 bits, which CTAs own by columns; no cell of a fresh
 * allocation was written. PTX 9.7.16.1.
 */
public final class TensorMemory {
    static final int LANES = Tcgen05.LANES;
    static final int COLUMNS = Tcgen05.COLUMNS;
    /** Lanes of a granule: the unit by which accesses are recorded. */
    static final int GRANULE_LANES = 16;

    private static final int GRANULES = LANES / GRANULE_LANES;
    private static final int NOBODY = -1;

    private final int[] cells = new int[LANES * COLUMNS];
    private final boolean[] written = new boolean[LANES * COLUMNS];
    /** The reads whose undefined values were written to cells. */
    private final Map<Integer, Unwritten> sources = new HashMap<>();

    private final @Nullable TensorUnit[] owner = new @Nullable TensorUnit[COLUMNS];
    private final TensorShadow shadow = new TensorShadow(COLUMNS * GRANULES, TensorMemory::describe);
    private final List<Runnable> waiters = new ArrayList<>();
    /** The CTA that may allocate at the moment. */
    private int permit = NOBODY;

    private static String describe(int granule) {
        int lane = granule % GRANULES * GRANULE_LANES;
        return "column " + granule / GRANULES + ", lanes " + lane + ".." + (lane + GRANULE_LANES - 1)
                + " of tensor memory";
    }

    private static int cell(int column, int lane) {
        return column * LANES + lane;
    }

    /** Index of the granule that a cell belongs to. */
    static int granule(int column, int lane) {
        return column * GRANULES + lane / GRANULE_LANES;
    }

    /** The last accesses to this memory. */
    TensorShadow shadow() {
        return shadow;
    }

    int get(int column, int lane) {
        return cells[cell(column, lane)];
    }

    boolean isWritten(int column, int lane) {
        return written[cell(column, lane)];
    }

    void set(int column, int lane, int bits) {
        int cell = cell(column, lane);
        cells[cell] = bits;
        written[cell] = true;
    }

    /** A cell was written with what means nothing, because of a read. */
    void undefine(int column, int lane, Unwritten source) {
        int cell = cell(column, lane);
        written[cell] = false;
        sources.put(cell, source);
    }

    /** The read by which a cell that is not written means nothing; none if nobody wrote it at all. */
    @Nullable
    Unwritten source(int column, int lane) {
        return sources.get(cell(column, lane));
    }

    /** Requires that a CTA owns some columns. */
    void requireOwned(TensorUnit unit, int column, int count, String access) {
        for (int at = column; at < column + count; at++) {
            if (at >= COLUMNS || owner[at] != unit) {
                throw new HazardFound(new Hazard.TensorMemoryMisuse(access + " of columns " + column + ".."
                        + (column + count - 1) + ", of which column " + at + " is not allocated by " + unit));
            }
        }
    }

    // ---- allocation ---------------------------------------------------------------------------------------------

    /** Whether a CTA may allocate: no other has done so without giving its permit back. */
    boolean permits(int cta) {
        return permit == NOBODY || permit == cta;
    }

    /** Whether so many columns from there on are free. */
    boolean isFree(int column, int count) {
        for (int at = column; at < column + count; at++) {
            if (owner[at] != null) {
                return false;
            }
        }
        return true;
    }

    void take(TensorUnit unit, int cta, int column, int count) {
        for (int at = column; at < column + count; at++) {
            owner[at] = unit;
        }
        Arrays.fill(written, cell(column, 0), cell(column + count, 0), false);
        sources.keySet().removeIf(cell -> cell >= cell(column, 0) && cell < cell(column + count, 0));
        permit = cta;
    }

    void free(int column, int count) {
        for (int at = column; at < column + count; at++) {
            owner[at] = null;
            for (int lane = 0; lane < LANES; lane += GRANULE_LANES) {
                shadow.clear(granule(at, lane));
            }
        }
        wake();
    }

    /** A CTA allocates nothing more. */
    void givePermit(int cta) {
        if (permit == cta) {
            permit = NOBODY;
            wake();
        }
    }

    /** Registers a callback that runs once, when columns or the permit may be free again. */
    void whenFreed(Runnable waiter) {
        waiters.add(waiter);
    }

    private void wake() {
        List<Runnable> woken = List.copyOf(waiters);
        waiters.clear();
        woken.forEach(Runnable::run);
    }
}
