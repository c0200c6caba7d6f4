package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.Spelled;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Optional;

/**
 * Matrices that a whole, converged warp holds: {@code mma.sync}, {@code wmma}, whose fragments are opaque, and
 * transposition. PTX 9.7.14.4, 9.7.14.5.
 */
public sealed interface WarpMatrix extends Instruction {
    /** {@code D[m,n] = A[m,k] * B[k,n] + C[m,n]}. */
    record Shape(int m, int n, int k) {
        public String ptx() {
            return "m" + m + "n" + n + "k" + k;
        }
    }

    /** The matrix that a fragment belongs to; D is like C. */
    enum Role implements Spelled {
        A,
        B,
        C,
        D;

        int elements(Shape shape) {
            return switch (this) {
                case A -> shape.m() * shape.k();
                case B -> shape.k() * shape.n();
                case C, D -> shape.m() * shape.n();
            };
        }
    }

    /**
     * {@code mma.sync}: {@code D[m,n] = A[m,k] * B[k,n] + C[m,n]}. Elements are packed into b32 registers from the
     * lowest bits, f32, s32 and f64 have one register each. Shapes: m16n8 with k of 128 or 256 bits for elements of 8
     * to 32 bits; for f64 m8n8k4, m16n8k4, m16n8k8 and m16n8k16; for f16 four m8n8k4 at once; for s8 and u8 m8n8k16.
     * Rows or columns may be chosen for m8n8k4 of f16 alone. {@code saturate} clamps s32.
     *
     * @param columnsA A is by columns, otherwise by rows
     * @param rowsB B is by rows, otherwise by columns
     */
    record Multiply(
            Shape shape,
            boolean columnsA,
            boolean rowsB,
            boolean saturate,
            Element typeD,
            Element typeA,
            Element typeB,
            Element typeC,
            List<Reg<?>> d,
            List<Operand<?>> a,
            List<Operand<?>> b,
            List<Operand<?>> c)
            implements WarpMatrix {
        private static final Shape QUARTER = new Shape(8, 8, 4);
        private static final List<Shape> DOUBLES =
                List.of(QUARTER, new Shape(16, 8, 4), new Shape(16, 8, 8), new Shape(16, 8, 16));
        private static final Shape BYTES = new Shape(8, 8, 16);

        public Multiply {
            d = List.copyOf(d);
            a = List.copyOf(a);
            b = List.copyOf(b);
            c = List.copyOf(c);
            String what = "mma." + shape.ptx() + "." + typeD.ptx() + "." + typeA.ptx() + "." + typeB.ptx() + "."
                    + typeC.ptx();
            boolean doubles = typeA == Element.F64
                    && typeB == Element.F64
                    && typeC == Element.F64
                    && typeD == Element.F64
                    && DOUBLES.contains(shape);
            boolean halves = typeA == Element.F16 && shape.equals(QUARTER) && sums(typeA, typeB, typeC, typeD);
            int bits = shape.k() * typeA.bits();
            boolean row = shape.m() == 16 && shape.n() == 8 && typeA.bits() <= 32 && (bits == 128 || bits == 256);
            boolean others = (row || (typeA.isInteger() && shape.equals(BYTES))) && sums(typeA, typeB, typeC, typeD);
            Check.that(doubles || halves || others, "mma: shape and types not allowed", what);
            Check.that(halves || !(columnsA || rowsB), "mma: this shape takes A by rows and B by columns", what);
            Check.that(typeA.isInteger() || !saturate, "mma: satfinite goes with integers", what);
            // The smallest shape of f16 is four products, one for each group of eight lanes.
            int times = halves ? 4 : 1;
            requireRegisters(what, Role.D, d.size(), words(times, Role.D, shape, typeD));
            requireRegisters(what, Role.A, a.size(), words(times, Role.A, shape, typeA));
            requireRegisters(what, Role.B, b.size(), words(times, Role.B, shape, typeB));
            requireRegisters(what, Role.C, c.size(), words(times, Role.C, shape, typeC));
        }

        /** True if C and D may have these types with these inputs. */
        private static boolean sums(Element a, Element b, Element c, Element d) {
            boolean floats = isFloat(c) && isFloat(d);
            boolean half = c == Element.F16 || d == Element.F16;
            return switch (a) {
                case F16 -> b == a && floats;
                case BF16, TF32 -> b == a && floats && !half;
                case E4M3, E5M2 -> b.isEight() && floats;
                case S8, U8 -> b.isInteger() && c == Element.S32 && d == Element.S32;
                case F32, F64, S32 -> false;
            };
        }

        private static boolean isFloat(Element accumulator) {
            return accumulator == Element.F16 || accumulator == Element.F32;
        }
    }

    /**
     * {@code wmma.load}: a fragment of A, B or C from generic, global or shared memory.
     *
     * @param columns the matrix is by columns in memory, otherwise by rows
     * @param stride elements from one column or row to the next; dense if absent
     */
    record Load(
            Role role,
            boolean columns,
            Shape shape,
            Element type,
            List<Reg<?>> d,
            Address address,
            Optional<Operand<B32>> stride)
            implements WarpMatrix {
        public Load {
            d = List.copyOf(d);
            Check.that(role != Role.D, "wmma.load: loads A, B or C, D is stored", role);
            requireFragment("wmma.load", role, shape, type, d.size());
            requireMemory("wmma.load", address);
        }
    }

    /** {@code wmma.store.d}: a fragment of D to memory. */
    record Store(
            boolean columns,
            Shape shape,
            Element type,
            Address address,
            List<Reg<?>> values,
            Optional<Operand<B32>> stride)
            implements WarpMatrix {
        public Store {
            values = List.copyOf(values);
            requireFragment("wmma.store", Role.D, shape, type, values.size());
            requireMemory("wmma.store", address);
        }
    }

    /** {@code wmma.mma}: {@code D = A * B + C} of fragments. A and B have one type. */
    record MultiplyFragments(
            Shape shape,
            boolean columnsA,
            boolean rowsB,
            boolean saturate,
            Element typeD,
            Element typeA,
            Element typeB,
            Element typeC,
            List<Reg<?>> d,
            List<Reg<?>> a,
            List<Reg<?>> b,
            List<Reg<?>> c)
            implements WarpMatrix {
        public MultiplyFragments {
            d = List.copyOf(d);
            a = List.copyOf(a);
            b = List.copyOf(b);
            c = List.copyOf(c);
            Check.that(typeA == typeB, "wmma.mma: types not allowed", typeA.ptx() + "." + typeB.ptx());
            Check.that(!saturate || typeA.isInteger(), "wmma.mma: satfinite goes with integers", typeA.ptx());
            requireFragment("wmma.mma", Role.D, shape, typeD, d.size());
            requireFragment("wmma.mma", Role.A, shape, typeA, a.size());
            requireFragment("wmma.mma", Role.B, shape, typeB, b.size());
            requireFragment("wmma.mma", Role.C, shape, typeC, c.size());
        }
    }

    /** {@code movmatrix}: d = the transpose of an 8x8 matrix of 16-bit elements, both in the form of {@link Matrix}. */
    record Transpose(Reg<?> d, Reg<?> a) implements WarpMatrix {
        @Override
        public Requirement requires() {
            return Requirement.BASE;
        }
    }

    /** Registers of one lane that hold its share of so many matrices. */
    private static int words(int matrices, Role role, Shape shape, Element type) {
        return matrices * role.elements(shape) * type.bits() / (type == Element.F64 ? 2048 : 1024);
    }

    private static void requireRegisters(String what, Role role, int got, int wanted) {
        Check.that(got == wanted, what + ": " + role + " takes " + wanted + " registers", got);
    }

    private static void requireFragment(String mnemonic, Role role, Shape shape, Element type, int got) {
        boolean multiplicand = role == Role.A || role == Role.B;
        boolean cube = shape.m() * shape.n() == 256 && shape.k() == 16 && shape.m() >= 8 && shape.n() >= 8;
        boolean legal = switch (type) {
            case F16 -> cube;
            case BF16, S8, U8 -> cube && multiplicand;
            case TF32 -> shape.equals(new Shape(16, 16, 8)) && multiplicand;
            case F64 -> shape.equals(new Shape(8, 8, 4));
            case F32 -> (cube || shape.equals(new Shape(16, 16, 8))) && !multiplicand;
            case S32 -> cube && !multiplicand;
            case E4M3, E5M2 -> false;
        };
        Check.that(legal, mnemonic + ": no such fragment", role + " of " + shape.ptx() + "." + type.ptx());
        // Fragments of f16 hold every element of A and B twice.
        int wanted = type == Element.F16 && multiplicand ? 8 : words(1, role, shape, type);
        requireRegisters(mnemonic + "." + shape.ptx() + "." + type.ptx(), role, got, wanted);
    }

    private static void requireMemory(String mnemonic, Address address) {
        Check.that(
                address.space() == StateSpace.GENERIC
                        || address.space() == StateSpace.GLOBAL
                        || address.space() == StateSpace.SHARED,
                mnemonic + ": the address must be generic, global or shared",
                address.space());
    }
}
