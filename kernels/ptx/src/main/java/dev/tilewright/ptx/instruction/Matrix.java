package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.IsaVersion;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.List;

/** Matrices between registers and shared memory. Whole warp, converged. PTX 9.7.14.5. */
public sealed interface Matrix extends Instruction {

    /**
     * Writes 1, 2 or 4 8x8 matrices of 16-bit elements: lane 8i+r gives the address (16-byte aligned) of row r of
     * matrix i, register i of lane l holds row l/4, columns 2(l%4) and +1; {@code transposed} swaps rows and columns.
     * PTX 9.7.14.5.16, sm_90.
     */
    record Store(boolean transposed, SharedAddress address, List<Reg<B32>> values) implements Matrix {
        public Store {
            values = List.copyOf(values);
            requireCount("stmatrix", values);
        }

        @Override
        public Requirement requires() {
            return Requirement.HOPPER;
        }
    }

    /** Reads 1, 2 or 4 matrices; the mirror of {@link Store}. PTX 9.7.14.5.15, sm_75. */
    record Load(boolean transposed, List<Reg<B32>> d, SharedAddress address) implements Matrix {
        public Load {
            d = List.copyOf(d);
            requireCount("ldmatrix", d);
        }
    }

    /** How the 16 elements of a row lie in its 16 bytes: in the lowest bits of them, one after the other. */
    enum Packing {
        BYTES("b8", 8),
        SIX_BITS("b8x16.b6x16_p32", 6),
        FOUR_BITS("b8x16.b4x16_p64", 4);

        private final String ptx;
        private final int bits;

        Packing(String ptx, int bits) {
            this.ptx = ptx;
            this.bits = bits;
        }

        public String ptx() {
            return ptx;
        }

        /** Of an element in shared memory; in a register each has a byte, whose upper bits are 0. */
        public int bits() {
            return bits;
        }
    }

    /**
     * Reads matrices of elements that have a byte each in registers. With q = l % 4 and g = l / 4 of lane l:
     *
     * <p>{@code square}: 1 or 2 matrices of 16x16, whose columns are rows of 16 bytes in shared memory. Lane 16i+c
     * gives the address of column c of matrix i. Bytes 0 to 3 of register 2i+h of lane l are row g, columns 4q+2h and
     * 4q+2h+1, then row g+8 of the same columns.
     *
     * <p>Otherwise 1, 2 or 4 matrices of 8x16 of packed elements: lane 8i+r gives the address of row r of matrix i,
     * bytes 0 to 3 of register i of lane l are row g, columns 4q to 4q+3. PTX 9.7.14.5.15, sm_100a.
     */
    record LoadBytes(Packing packing, boolean square, List<Reg<B32>> d, SharedAddress address) implements Matrix {
        public LoadBytes {
            d = List.copyOf(d);
            requireCount("ldmatrix", d);
            Check.that(!square || d.size() > 1, "ldmatrix.m16n16: takes 2 or 4 registers", d.size());
            Check.that(
                    square || packing != Packing.BYTES,
                    "ldmatrix.m8n16: elements must be of 4 or 6 bits",
                    "." + packing.ptx());
        }

        /** The number of matrices. */
        public int count() {
            return square ? d.size() / 2 : d.size();
        }

        @Override
        public Requirement requires() {
            return BLACKWELL;
        }
    }

    /**
     * Writes 1, 2 or 4 matrices of 16x8 bytes, whose columns become rows of 16 bytes in shared memory: lane 8i+c gives
     * the address of column c of matrix i. Bytes 0 to 3 of register i of lane l are row l/4, columns 2(l%4) and
     * 2(l%4)+1, then row l/4+8 of the same columns. PTX 9.7.14.5.16, sm_100a.
     */
    record StoreBytes(SharedAddress address, List<Reg<B32>> values) implements Matrix {
        public StoreBytes {
            values = List.copyOf(values);
            requireCount("stmatrix", values);
        }

        @Override
        public Requirement requires() {
            return BLACKWELL;
        }
    }

    /** The shapes of 8-bit elements. */
    Requirement BLACKWELL = new Requirement(new IsaVersion(8, 6), 100, Requirement.Kind.ANY_SPECIFIC);

    private static void requireCount(String mnemonic, List<?> registers) {
        int count = registers.size();
        Check.that(count == 1 || count == 2 || count == 4, mnemonic + ": takes 1, 2 or 4 registers", count);
    }
}
