package dev.tilewright.ptx;

import dev.tilewright.ptx.type.StateSpace;
import java.util.HexFormat;
import java.util.List;

/**
 * Data in global, constant or local memory.
 *
 * @param contents the first bytes at the start, as pairs of hexadecimal digits, zeros where an address stands; the rest
 *     is zero
 * @param relocations where addresses of other variables stand in the contents
 * @param linkage visibility to other modules
 * @param managed the host may use it too ({@code .attribute(.managed)}); global memory alone
 */
public record Variable(
        StateSpace space,
        String name,
        int alignment,
        int bytes,
        String contents,
        List<Relocation> relocations,
        Linkage linkage,
        boolean managed) {
    /**
     * 8 bytes that hold an address.
     *
     * @param offset of the 8 bytes in the variable
     * @param symbol whose address it is
     * @param addend bytes added to it
     * @param generic the address is generic, otherwise one of the symbol's space
     */
    public record Relocation(int offset, String symbol, long addend, boolean generic) {}

    public Variable {
        relocations = List.copyOf(relocations);
        SharedRegion.requireAlignment(name, alignment);
        if (space != StateSpace.GLOBAL && space != StateSpace.CONST && space != StateSpace.LOCAL) {
            throw new IllegalArgumentException(
                    "variable " + name + ": must be global, constant or local, got " + space);
        }
        if (bytes < 0 || contents.length() > 2L * bytes || contents.length() % 2 != 0) {
            throw new IllegalArgumentException("variable " + name + ": " + bytes + " bytes do not hold "
                    + contents.length() + " hexadecimal digits");
        }
        if (managed && space != StateSpace.GLOBAL) {
            throw new IllegalArgumentException("variable " + name + ": managed memory is global, got " + space);
        }
        if (linkage != Linkage.LOCAL && space == StateSpace.LOCAL) {
            throw new IllegalArgumentException("variable " + name + ": a thread's own has no linkage, got " + linkage);
        }
        for (Relocation relocation : relocations) {
            if (relocation.offset() < 0
                    || relocation.offset() % 8 != 0
                    || 2L * relocation.offset() + 16 > contents.length()) {
                throw new IllegalArgumentException(
                        "variable " + name + ": no 8 bytes of contents for an address at byte " + relocation.offset());
            }
        }
    }

    /** A variable of its module alone. */
    public Variable(
            StateSpace space, String name, int alignment, int bytes, String contents, List<Relocation> relocations) {
        this(space, name, alignment, bytes, contents, relocations, Linkage.LOCAL, false);
    }

    /** The bytes at the start, without the zeros that may follow and the addresses. */
    public byte[] initial() {
        return HexFormat.of().parseHex(contents);
    }
}
