package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;

/** 8x8 matrices of 16-bit elements between registers and shared memory. Whole warp, converged. PTX 9.7.14.5. */
public sealed interface Matrix extends Instruction {

    /**
     * Writes 1, 2 or 4 matrices: lane 8i+r gives the address (16-byte aligned) of row r of matrix i, register i of lane
     * l holds row l/4, columns 2(l%4) and +1; {@code transposed} swaps rows and columns. PTX 9.7.14.5.16, sm_90.
     */
    record Store(boolean transposed, SharedAddress address, List<Reg<B32>> values) implements Matrix {
        public Store {
            values = List.copyOf(values);
            requireCount("stmatrix", values);
            Check.aligned("stmatrix: address", address.offset(), 16);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.address(address, StateSpace.SHARED);
            values.forEach(r -> visitor.read(r, ScalarType.B32));
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
            Check.aligned("ldmatrix: address", address.offset(), 16);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            d.forEach(r -> visitor.write(r, ScalarType.B32));
            visitor.address(address, StateSpace.SHARED);
        }
    }

    private static void requireCount(String mnemonic, List<?> registers) {
        int count = registers.size();
        Check.that(count == 1 || count == 2 || count == 4, mnemonic + ": takes 1, 2 or 4 registers", count);
    }
}
