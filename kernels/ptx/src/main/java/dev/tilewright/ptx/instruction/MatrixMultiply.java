package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.instruction.Wgmma.MatrixA;
import dev.tilewright.ptx.instruction.Wgmma.ScaleD;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import java.util.List;

/** Matrix multiplies of a warp, and of a warpgroup beside {@link Wgmma.MmaAsync}. PTX 9.7.14, 9.7.15. */
public sealed interface MatrixMultiply extends Ordinary {
    /**
     * {@code wgmma.mma_async} of any dense type: {@code D[64,n] (+)= A[64,k] * B[k,n]}, k = 256 bits / the size of an
     * element. Accumulators f16 (two to a b32 register, n/4 of them; inputs f16, e4m3, e5m2), f32 (n/2; floats) or s32
     * (n/2; s8, u8). A K-major unless it is f16 or bf16; {@code transposed} of the descriptor and {@code transposeB}
     * then say M- and N-major. {@code saturate} clamps s32.
     */
    record Warpgroup(
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
            implements MatrixMultiply, WarpgroupMultiply {
        public Warpgroup {
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

        @Override
        public Requirement requires() {
            return Requirement.HOPPER_ONLY;
        }
    }

    /**
     * {@code mma.sync}: {@code D[m,n] = A[m,k] * B[k,n] + C[m,n]} of a warp, A by rows and B by columns, in the
     * fragments of PTX 9.7.14.5. Elements are packed into b32 registers from the lowest bits, f32 and s32 accumulators
     * have one register each. m = 16 and n = 8. {@code saturate} clamps s32.
     */
    record Warp(
            int k,
            Element typeD,
            Element typeA,
            Element typeB,
            Element typeC,
            boolean saturate,
            List<Reg<?>> d,
            List<Operand<?>> a,
            List<Operand<?>> b,
            List<Operand<?>> c)
            implements MatrixMultiply {
        public Warp {
            d = List.copyOf(d);
            a = List.copyOf(a);
            b = List.copyOf(b);
            c = List.copyOf(c);
            boolean legal = typeA.bits() <= 32 && typeB.bits() == typeA.bits() && typeA != Element.F32;
            Check.that(legal, "mma: types not allowed", typeA.ptx() + "." + typeB.ptx());
            int bits = k * typeA.bits();
            Check.that(bits == 128 || bits == 256, "mma: K must be 128 or 256 bits of a row", k);
            requireRegisters("D", d.size(), 16 * 8 * accumulatorBits(typeD) / 1024);
            requireRegisters("C", c.size(), 16 * 8 * accumulatorBits(typeC) / 1024);
            requireRegisters("A", a.size(), 16 * bits / 1024);
            requireRegisters("B", b.size(), 8 * bits / 1024);
        }

        private static int accumulatorBits(Element element) {
            Check.that(
                    element == Element.F16 || element == Element.F32 || element == Element.S32,
                    "mma: accumulators must be f16, f32 or s32",
                    element.ptx());
            return element.bits();
        }

        private static void requireRegisters(String matrix, int got, int wanted) {
            Check.that(got == wanted, "mma: " + matrix + " takes " + wanted + " registers", got);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            d.forEach(r -> visitor.write(r, register(typeD)));
            a.forEach(r -> visitor.read(r, ScalarType.B32));
            b.forEach(r -> visitor.read(r, ScalarType.B32));
            c.forEach(r -> visitor.read(r, register(typeC)));
        }

        private static ScalarType register(Element element) {
            return element == Element.F32 ? ScalarType.F32 : ScalarType.B32;
        }
    }
}
