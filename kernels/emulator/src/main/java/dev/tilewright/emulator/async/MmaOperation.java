package dev.tilewright.emulator.async;

import dev.tilewright.emulator.memory.SharedMemory;
import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.order.BulkRead;
import dev.tilewright.emulator.order.Needs;
import dev.tilewright.emulator.tensor.MatrixDescriptor;
import dev.tilewright.emulator.warp.Origin;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One wgmma of a warpgroup, from the moment its first warp issues it. */
final class MmaOperation implements BulkRead {
    final Origin origin;
    final MmaShape shape;
    /** Descriptor bits of A, 0 if A is in registers. */
    final long a;

    final long b;
    final boolean accumulate;
    /** Fragments of A by warp, if A is in registers: 4 words for each of 32 lanes. */
    final int @Nullable [][] fragments;

    /** Addresses of the 16-byte chunks that it owns. */
    private final int[] claims;

    private final Access reading;
    private final Needs needs = new Needs();
    private final @Nullable UnwrittenRows unwrittenA;
    private final UnwrittenRows unwrittenB;
    private @Nullable UnwrittenRows claiming;
    private int claimed;
    int issued;

    MmaOperation(
            Origin origin, Access reading, MmaShape shape, long a, long b, boolean accumulate, boolean inRegisters) {
        this.reading = reading;
        this.origin = origin;
        this.shape = shape;
        this.a = a;
        this.b = b;
        this.accumulate = accumulate;
        fragments = inRegisters ? new int[4][] : null;
        claims = new int[2 * (64 + shape.n())];
        unwrittenA = inRegisters ? null : new UnwrittenRows(shape.readerA());
        unwrittenB = new UnwrittenRows(shape.readerB());
    }

    void claimA(SharedMemory shared, int at) {
        claim(shared, at, Objects.requireNonNull(unwrittenA));
    }

    void claimB(SharedMemory shared, int at) {
        claim(shared, at, unwrittenB);
    }

    private void claim(SharedMemory shared, int at, UnwrittenRows rows) {
        rows.next(at);
        claiming = rows;
        shared.claim(at, 16, this);
        claims[claimed++] = at;
    }

    void release(SharedMemory shared) {
        for (int i = 0; i < claimed; i++) {
            shared.release(claims[i], 16);
        }
    }

    /** Whether another warp's issue is of the same operation. */
    boolean matches(MmaShape otherMmaShape, long otherA, long otherB, boolean otherAccumulate) {
        return shape == otherMmaShape && a == otherA && b == otherB && accumulate == otherAccumulate;
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
    public boolean takesUnwritten(int at, Supplier<String> location) {
        Objects.requireNonNull(claiming).note(at, this::toString, location);
        return true;
    }

    /** Rows of A, none of them if A is in registers, of which some element was never written. */
    @Nullable
    UnwrittenRows unwrittenA() {
        return unwrittenA;
    }

    /** Columns of B likewise. */
    UnwrittenRows unwrittenB() {
        return unwrittenB;
    }

    @Override
    public boolean readsThreadCopies() {
        return true;
    }

    MatrixDescriptor descriptorA() {
        return MatrixDescriptor.decode(a);
    }

    MatrixDescriptor descriptorB() {
        return MatrixDescriptor.decode(b);
    }

    @Override
    public String toString() {
        return "the wgmma of " + origin;
    }
}
