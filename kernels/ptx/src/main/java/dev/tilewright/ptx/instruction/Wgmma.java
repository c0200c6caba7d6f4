package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import java.util.List;

/**
 * Matrix multiply of a warpgroup: four warps, the first with an index that is a multiple of 4, all 128 threads together
 * and converged. Asynchronous; completes by wgmma groups. sm_90a alone. PTX 9.7.15.
 */
public sealed interface Wgmma extends Instruction {
    @Override
    default Requirement requires() {
        return Requirement.HOPPER_ONLY;
    }

    /** Orders earlier touches of accumulators and register fragments before the next mma_async. PTX 9.7.15.7.1. */
    record Fence() implements Wgmma {}

    /** Closes the group of the mma_async since the last commit. PTX 9.7.15.7.2. */
    record CommitGroup() implements Wgmma {}

    /** Waits until at most {@code pending} (0..7) of the latest groups are unfinished. PTX 9.7.15.7.3. */
    record WaitGroup(int pending) implements Wgmma {
        public WaitGroup {
            Check.range("wgmma.wait_group: pending", pending, 0, 7);
        }
    }

    /** The source of the A operand. */
    sealed interface MatrixA {
        /** A tile in shared memory, by a 64-bit matrix descriptor; {@code transposed} = M-major. */
        record Descriptor(Reg<B64> descriptor, boolean transposed) implements MatrixA {}

        /** A fragment in 4 registers of two elements each. */
        record Fragment(List<Reg<B32>> registers) implements MatrixA {
            public Fragment {
                registers = List.copyOf(registers);
                Check.that(registers.size() == 4, "wgmma: A in registers takes 4 of them", registers.size());
            }
        }
    }

    /**
     * The types and layouts of A and B: bf16 or f16, each K-major or transposed, or e4m3 and e5m2 in any pair, both
     * K-major.
     *
     * @param transposeA whether A is M-major
     * @param transposeB whether B is N-major
     */
    record Inputs(Element a, Element b, boolean transposeA, boolean transposeB) {}

    /** Whether the product is added to the accumulators (D = A*B + D) or replaces them. */
    sealed interface ScaleD {
        /** Decided when the kernel is built. */
        record Fixed(boolean accumulate) implements ScaleD {}

        /** Decided by a warpgroup-uniform predicate. */
        record When(Reg<Pred> accumulate) implements ScaleD {}
    }

    /**
     * {@code D[64,n] (+)= A[64,k] * B[k,n]}, k = 256 bits / the size of an element, n = 8..256 in steps of 8.
     * Accumulators f32 (n/2 registers of a thread; floats), f16 (two to a b32 register, n/4 of them; inputs f16, e4m3,
     * e5m2) or s32 (n/2; s8, u8). Both matrices are K-major unless they are f16 or bf16; {@code transposed} of the
     * descriptor and {@code transposeB} then say M- and N-major. {@code saturate} clamps s32.
     *
     * <p>Thread t of the warpgroup (warp w = t/32, lane l = t%32) holds in element i: row 16w + l/4 + 8*((i>>1)&amp;1),
     * column 8*(i>>2) + 2*(l&amp;3) + (i&amp;1). Touching accumulators or the tiles before the wait is undefined. PTX
     * 9.7.15.5.2.
     */
    record MmaAsync(
            int n,
            Element accumulator,
            Element typeA,
            Element typeB,
            boolean saturate,
            List<Reg<?>> d,
            MatrixA a,
            Reg<B64> b,
            ScaleD scaleD,
            boolean negateA,
            boolean negateB,
            boolean transposeB)
            implements Wgmma, Irregular {
        public MmaAsync {
            d = List.copyOf(d);
            Check.that(n >= 8 && n <= 256 && n % 8 == 0, "wgmma: N must be a multiple of 8 in 8..256", n);
            String types = accumulator.ptx() + "." + typeA.ptx() + "." + typeB.ptx();
            boolean sameKind =
                    typeA == typeB || (typeA.isEight() && typeB.isEight()) || (typeA.isInteger() && typeB.isInteger());
            boolean legal = switch (accumulator) {
                case S32 -> typeA.isInteger();
                case F32 -> typeA.isEight() || typeA.bits() == 16 || typeA == Element.TF32;
                case F16 -> typeA.isEight() || typeA == Element.F16;
                case BF16, TF32, E4M3, E5M2, S8, U8, F64 -> false;
            };
            Check.that(sameKind && legal, "wgmma: types not allowed", types);
            int registers = accumulator == Element.F16 ? n / 4 : n / 2;
            Check.that(d.size() == registers, "wgmma: N=" + n + " takes " + registers + " registers of D", d.size());
            Check.that(!saturate || accumulator == Element.S32, "wgmma: satfinite goes with s32", types);
            boolean transposedA = a instanceof MatrixA.Descriptor s && s.transposed();
            Check.that(
                    typeA.bits() == 16 || !(transposedA || transposeB),
                    "wgmma: matrices of this type are K-major alone",
                    types);
            Check.that(!typeA.isInteger() || !(negateA || negateB), "wgmma: integers are not negated", types);
        }

        /** Depth of one instruction: 256 bits of a row. */
        public int k() {
            return 256 / typeA.bits();
        }

        @Override
        public void operands(OperandVisitor visitor) {
            ScalarType register = accumulator == Element.F32 ? ScalarType.F32 : ScalarType.B32;
            d.forEach(r -> visitor.write(r, register));
            switch (a) {
                case MatrixA.Descriptor s -> visitor.read(s.descriptor(), ScalarType.B64);
                case MatrixA.Fragment f -> f.registers().forEach(r -> visitor.read(r, ScalarType.B32));
            }
            visitor.read(b, ScalarType.B64);
            switch (scaleD) {
                case ScaleD.When when -> visitor.read(when.accumulate(), ScalarType.PRED);
                case ScaleD.Fixed _ -> {}
            }
        }
    }
}
