package dev.tilewright.examples.sm100;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;

/**
 * Columns of tensor memory, each of 128 lanes of 32 bits. A CTA has 512 columns, and gets a power of two of them.
 *
 * @param address shared memory that the allocation writes the first column to
 * @param group whether a CTA or a pair of CTAs allocates; in a pair each CTA gets as many columns
 */
record TensorMemory(SharedRegion address, CtaGroup group, int columns) {

    private static final int ADDRESS_BYTES = 16;

    static TensorMemory declare(EntryBuilder entry, CtaGroup group, int columns) {
        return new TensorMemory(entry.shared("tensorAddress", ADDRESS_BYTES, ADDRESS_BYTES), group, columns);
    }

    /** One warp of each CTA; the address is there for all when they have met. */
    void allocate(CodeBuilder b) {
        b.tensorAllocate(group, address.at(b, 0), columns);
        b.tensorRelinquish(group);
    }

    /** The first column. */
    Reg<B32> first(CodeBuilder b) {
        return b.ld32(address.at(b, 0));
    }

    /** The same warp, when no thread reads or writes the columns any more. */
    void deallocate(CodeBuilder b, Reg<B32> first) {
        b.tensorDeallocate(group, first, columns);
    }
}
