package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.async.UnwrittenRows;
import dev.tilewright.emulator.memory.SharedMemory;
import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.order.BulkRead;
import dev.tilewright.emulator.order.Needs;
import dev.tilewright.emulator.warp.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The bytes of shared memory that tcgen05 work reads. The work owns them until it is complete. */
final class TensorRead implements BulkRead {
    private static final int CHUNK = 16;

    private record Claim(SharedMemory memory, int at) {}

    private final Origin origin;
    private final String what;
    private final Access reading;
    private final Needs needs = new Needs();
    private final List<Claim> claims = new ArrayList<>();
    private @Nullable UnwrittenRows claiming;

    TensorRead(Origin origin, String what, Access reading) {
        this.origin = origin;
        this.what = what;
        this.reading = reading;
    }

    void claim(SharedMemory memory, int at) {
        memory.claim(at, CHUNK, this);
        claims.add(new Claim(memory, at));
    }

    /** The same of an operand of which some rows may be missing. */
    void claim(SharedMemory memory, int at, UnwrittenRows rows) {
        rows.next(at);
        claiming = rows;
        claim(memory, at);
        claiming = null;
    }

    @Override
    public boolean takesUnwritten(int at, Supplier<String> location) {
        UnwrittenRows rows = claiming;
        if (rows != null) {
            rows.note(at, this::toString, location);
        }
        return rows != null;
    }

    void release() {
        claims.forEach(claim -> claim.memory.release(claim.at, CHUNK));
        claims.clear();
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
    public String toString() {
        return "the " + what + " of " + origin;
    }
}
