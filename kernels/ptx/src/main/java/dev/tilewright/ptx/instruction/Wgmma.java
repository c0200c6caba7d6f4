package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import java.util.List;
import java.util.Optional;

/**
 * Matrix multiply of a warpgroup: four warps, the first with an index that is a multiple of 4, all 128 threads together
 * and converged. Asynchronous; completes by wgmma groups. sm_90a alone. PTX 9.7.15.
 */
public sealed interface Wgmma extends Instruction {
    @Override
    default void operands(OperandVisitor visitor) {}

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

    /** Where the A operand comes from. */
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
     * What is multiplied: bf16 or f16, each K-major or transposed, or e4m3 and e5m2 in any pair, both K-major.
     *
     * @param transposeA whether A is M-major
     * @param transposeB whether B is N-major
     */
    record Inputs(Element a, Element b, boolean transposeA, boolean transposeB) {

        /** The type of both, if it is bf16 or f16: then {@link MmaAsync} multiplies them. */
        public Optional<ScalarType> halves() {
            return switch (a) {
                case BF16 -> a == b ? Optional.of(ScalarType.BF16) : Optional.empty();
                case F16 -> a == b ? Optional.of(ScalarType.F16) : Optional.empty();
                case TF32, E4M3, E5M2, S8, U8, F32, F64, S32 -> Optional.empty();
            };
        }
    }

    /** Whether the product is added to the accumulators (D = A*B + D) or replaces them. */
    sealed interface ScaleD {
        /** Decided when the kernel is built. */
        record Fixed(boolean accumulate) implements ScaleD {}

        /** Decided by a warpgroup-uniform predicate. */
        record When(Reg<Pred> accumulate) implements ScaleD {}
    }

    /**
     * {@code D[64,n] (+)= A[64,16] * B[16,n]}, bf16 or f16 in, f32 accumulators: n/2 registers per thread, n = 8..256
     * in steps of 8. Thread t of the warpgroup (warp w = t/32, lane l = t%32) holds in element i: row 16w + l/4 +
     * 8*((i>>1)&amp;1), column 8*(i>>2) + 2*(l&amp;3) + (i&amp;1). Touching accumulators or the tiles before the wait
     * is undefined. PTX 9.7.15.5.2.
     */
    record MmaAsync(
            int n,
            ScalarType input,
            List<Reg<F32>> d,
            MatrixA a,
            Reg<B64> b,
            ScaleD scaleD,
            boolean negateA,
            boolean negateB,
            boolean transposeB)
            implements Wgmma, WarpgroupMultiply {
        public MmaAsync {
            d = List.copyOf(d);
            Check.that(n >= 8 && n <= 256 && n % 8 == 0, "wgmma: N must be a multiple of 8 in 8..256", n);
            Check.that(
                    input == ScalarType.BF16 || input == ScalarType.F16,
                    "wgmma: inputs must be bf16 or f16",
                    "." + input.ptx());
            Check.that(
                    d.size() == n / 2, "wgmma: m64n" + n + "k16 takes " + n / 2 + " accumulators per thread", d.size());
        }

        @Override
        public void operands(OperandVisitor visitor) {
            d.forEach(register -> visitor.write(register, ScalarType.F32));
            switch (a) {
                case MatrixA.Descriptor s -> visitor.read(s.descriptor(), ScalarType.B64);
                case MatrixA.Fragment f -> f.registers().forEach(r -> visitor.read(r, ScalarType.B32));
            }
            visitor.read(b, ScalarType.B64);
            condition().ifPresent(p -> visitor.read(p, ScalarType.PRED));
        }

        private Optional<Reg<Pred>> condition() {
            return switch (scaleD) {
                case ScaleD.Fixed _ -> Optional.empty();
                case ScaleD.When when -> Optional.of(when.accumulate());
            };
        }
    }
}
