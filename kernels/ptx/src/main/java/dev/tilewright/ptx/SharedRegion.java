package dev.tilewright.ptx;

import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;

/**
 * A named range of the dynamic shared memory, or an array of mbarriers of 8 bytes each. Offsets in bytes from its
 * start.
 */
public record SharedRegion(String name, Kind kind, int offset, int bytes, int alignment) {
    /** Bytes of one mbarrier. */
    public static final int BARRIER_BYTES = 8;

    /** The content of a region. */
    public enum Kind {
        DATA,
        BARRIERS
    }

    public SharedRegion {
        requireAlignment(name, alignment);
        if (bytes <= 0) {
            throw new IllegalArgumentException("shared region " + name + ": bytes must be positive, got " + bytes);
        }
        if (offset < 0 || offset % alignment != 0) {
            throw new IllegalArgumentException(
                    "shared region " + name + ": offset must be a multiple of " + alignment + ", got " + offset);
        }
    }

    static void requireAlignment(String name, int alignment) {
        if (alignment < 1 || Integer.bitCount(alignment) != 1) {
            throw new IllegalArgumentException(
                    "shared " + name + ": alignment must be a power of two, got " + alignment);
        }
    }

    public int end() {
        return offset + bytes;
    }

    /** Number of barriers. */
    public int count() {
        return bytes / BARRIER_BYTES;
    }

    /** The address of a byte of the region, given a register that holds the start of the dynamic shared memory. */
    public SharedAddress at(Reg<B32> base, int byteOffset) {
        if (byteOffset < 0 || byteOffset >= bytes) {
            throw new IllegalArgumentException(
                    "shared region " + name + ": byte must be in 0.." + (bytes - 1) + ", got " + byteOffset);
        }
        return new SharedAddress(base, offset + byteOffset);
    }

    /** The address of a byte of the region. */
    public SharedAddress at(CodeBuilder b, int byteOffset) {
        return at(b.sharedBase(), byteOffset);
    }

    /**
     * The address of a byte of the region.
     *
     * @param byteOffset of the byte, in a register
     */
    public SharedAddress at(CodeBuilder b, Reg<B32> byteOffset) {
        return new SharedAddress(b.add(byteOffset, b.sharedBase()), offset);
    }

    /**
     * The address of an element of the region.
     *
     * @param index of the element, from 0
     * @param elementBytes bytes of each element
     */
    public SharedAddress element(CodeBuilder b, Operand<B32> index, int elementBytes) {
        return new SharedAddress(b.mad(index, Immediate.b32(elementBytes), b.sharedBase()), offset);
    }

    /** The address of a byte of the region in a register, for instructions that take no offset beside it. */
    public Reg<B32> pointer(CodeBuilder b, int byteOffset) {
        return b.add(b.sharedBase(), offset + byteOffset);
    }

    /** The address of barrier {@code index}. */
    public SharedAddress barrier(CodeBuilder b, int index) {
        return barrier(b.sharedBase(), index);
    }

    /** The address of barrier {@code index}, given a register that holds the start of the dynamic shared memory. */
    public SharedAddress barrier(Reg<B32> base, int index) {
        if (kind != Kind.BARRIERS) {
            throw new IllegalArgumentException("shared region " + name + " holds no barriers");
        }
        return at(base, index * BARRIER_BYTES);
    }
}
