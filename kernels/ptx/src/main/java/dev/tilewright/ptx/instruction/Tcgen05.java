package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.IsaVersion;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.Spelled;
import dev.tilewright.ptx.type.TensorAddress;
import java.util.List;
import java.util.Optional;

/**
 * Tensor memory and the matrix multiply of the fifth generation of tensor cores. Tensor memory is 128 lanes x 512
 * columns of 32 bits for each CTA, allocated by columns. Everything but allocation, waits and fences is asynchronous.
 * sm_100a. PTX 9.7.16.
 */
public sealed interface Tcgen05 extends Instruction {
    /** Columns of tensor memory. */
    int COLUMNS = 512;
    /** Lanes of tensor memory. */
    int LANES = 128;
    /** sm_100a alone, of the targets that we know. */
    Requirement BLACKWELL = new Requirement(new IsaVersion(8, 6), 100, Requirement.Kind.THIS_SPECIFIC);

    @Override
    default Requirement requires() {
        return BLACKWELL;
    }

    /**
     * One warp (of each CTA of the group, together): waits for {@code columns} free columns, a power of two 32..512,
     * and writes the address of the first into shared memory. PTX 9.7.16.7.1.
     */
    record Allocate(CtaGroup group, SharedAddress destination, Operand<B32> columns) implements Tcgen05 {
        public Allocate {
            requireColumns("tcgen05.alloc", columns);
        }
    }

    /** One warp (of each CTA of the group): gives columns back; needed before exit. PTX 9.7.16.7.1. */
    record Deallocate(CtaGroup group, Reg<B32> address, Operand<B32> columns) implements Tcgen05 {
        public Deallocate {
            requireColumns("tcgen05.dealloc", columns);
        }
    }

    /** The CTA allocates nothing from now on. PTX 9.7.16.7.1. */
    record RelinquishPermit(CtaGroup group) implements Tcgen05 {}

    /** The element types of a multiplication. */
    enum Kind implements Spelled {
        F16,
        TF32,
        F8F6F4,
        I8
    }

    /** The source of the A operand. */
    sealed interface MatrixA {
        /** A tile in shared memory, by a 64-bit matrix descriptor. */
        record Descriptor(Reg<B64> descriptor) implements MatrixA {}

        /** Tensor memory. */
        record Tensor(TensorAddress address) implements MatrixA {}
    }

    /**
     * One thread: {@code D (+)= A * B} in tensor memory; D keeps its lanes and columns as the instruction descriptor
     * says (types, majors, N in bits 17..22, M in bits 24..28). {@code accumulate} false replaces D. PTX 9.7.16.10.9.1.
     *
     * @param disabledLanes a bit for each lane of D that is not updated, lane 0 first; empty: all lanes are
     */
    record Multiply(
            CtaGroup group,
            Kind kind,
            TensorAddress d,
            MatrixA a,
            Reg<B64> b,
            Operand<B32> descriptor,
            List<Reg<B32>> disabledLanes,
            Reg<Pred> accumulate)
            implements Tcgen05, Irregular {
        public Multiply {
            disabledLanes = List.copyOf(disabledLanes);
            int words = group.ctas() * LANES / Integer.SIZE;
            Check.that(
                    disabledLanes.isEmpty() || disabledLanes.size() == words,
                    "tcgen05.mma: ." + group.ptx() + " takes a list of " + words + " words for lanes",
                    disabledLanes.size());
        }

        /** One that updates all lanes of D. */
        public Multiply(
                CtaGroup group,
                Kind kind,
                TensorAddress d,
                MatrixA a,
                Reg<B64> b,
                Operand<B32> descriptor,
                Reg<Pred> accumulate) {
            this(group, kind, d, a, b, descriptor, List.of(), accumulate);
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.read(d.base(), ScalarType.B32);
            switch (a) {
                case MatrixA.Descriptor s -> visitor.read(s.descriptor(), ScalarType.B64);
                case MatrixA.Tensor t -> visitor.read(t.address().base(), ScalarType.B32);
            }
            visitor.read(b, ScalarType.B64);
            visitor.read(descriptor, ScalarType.B32);
            disabledLanes.forEach(word -> visitor.read(word, ScalarType.B32));
            visitor.read(accumulate, ScalarType.PRED);
        }
    }

    /**
     * One thread: when all its earlier multiplications and copies are done, arrives once at the barrier, or at the same
     * offset in each CTA of the mask. Implies {@link Fence.Side#BEFORE_THREAD_SYNC}. PTX 9.7.16.12.1.
     */
    record Commit(CtaGroup group, ClusterAddress barrier, Optional<Reg<B16>> multicast)
            implements Tcgen05, MbarrierUse {}

    /** The extent of one repetition of a load or store: lanes x bits. PTX 9.7.16.2.3. */
    enum Shape implements Spelled {
        /** Lane l of the warp: one column of its own lane of tensor memory. */
        L32_B32("32x32b", 1, 128),
        L16_B64("16x64b", 1, 128),
        L16_B128("16x128b", 2, 64),
        L16_B256("16x256b", 4, 32),
        /** Twice 16 lanes x 32 bits, the second time some columns further on. */
        L16_B32_TWICE("16x32bx2", 1, 128);

        private final String ptx;
        private final int registers;
        private final int mostRepetitions;

        Shape(String ptx, int registers, int mostRepetitions) {
            this.ptx = ptx;
            this.registers = registers;
            this.mostRepetitions = mostRepetitions;
        }

        @Override
        public String ptx() {
            return ptx;
        }

        /** Registers of a thread for one repetition. */
        public int registers() {
            return registers;
        }
    }

    /**
     * Whole warp, converged, the same address in all lanes: reads tensor memory into registers, {@code repetitions}
     * times the shape. Warp w of the CTA reaches lanes 32*(w%4) to +31 alone. The registers hold nothing before
     * {@link WaitLoad}. PTX 9.7.16.8.3.
     *
     * @param split columns between the halves of {@link Shape#L16_B32_TWICE}; 0 for the other shapes
     * @param pack true if a register takes the low halves of two columns
     */
    record Load(Shape shape, List<Reg<B32>> d, TensorAddress address, int split, boolean pack)
            implements Tcgen05, Irregular {
        public Load {
            d = List.copyOf(d);
            requireRegisters("tcgen05.ld", shape, d);
            requireSplit("tcgen05.ld", shape, split);
        }

        /** A column, or half of one, for each register. */
        public Load(Shape shape, List<Reg<B32>> d, TensorAddress address) {
            this(shape, d, address, 0, false);
        }

        public int repetitions() {
            return d.size() / shape.registers();
        }

        @Override
        public void operands(OperandVisitor visitor) {
            d.forEach(register -> visitor.write(register, ScalarType.B32));
            visitor.read(address.base(), ScalarType.B32);
        }
    }

    /**
     * The mirror of {@link Load}; done with {@link WaitStore}. PTX 9.7.16.8.4.
     *
     * @param split as of a load
     * @param unpack true if the halves of a register go to two columns
     */
    record Store(Shape shape, TensorAddress address, int split, List<Reg<B32>> values, boolean unpack)
            implements Tcgen05, Irregular {
        public Store {
            values = List.copyOf(values);
            requireRegisters("tcgen05.st", shape, values);
            requireSplit("tcgen05.st", shape, split);
        }

        /** A register for each column. */
        public Store(Shape shape, TensorAddress address, List<Reg<B32>> values) {
            this(shape, address, 0, values, false);
        }

        public int repetitions() {
            return values.size() / shape.registers();
        }

        @Override
        public void operands(OperandVisitor visitor) {
            visitor.read(address.base(), ScalarType.B32);
            values.forEach(register -> visitor.read(register, ScalarType.B32));
        }
    }

    /** Waits for all loads of this thread. PTX 9.7.16.8.5. */
    record WaitLoad() implements Tcgen05 {}

    /** Waits for all stores of this thread. PTX 9.7.16.8.5. */
    record WaitStore() implements Tcgen05 {}

    /** The extent of a copy, and the warps whose lanes it writes. PTX 9.7.16.9.2. */
    enum CopyShape implements Spelled {
        L128_B256("128x256b"),
        L4_B256("4x256b"),
        L128_B128("128x128b"),
        L64_B128_PAIRS_02_13("64x128b.warpx2::02_13"),
        L64_B128_PAIRS_01_23("64x128b.warpx2::01_23"),
        L32_B128_ALL("32x128b.warpx4");

        private final String ptx;

        CopyShape(String ptx) {
            this.ptx = ptx;
        }

        @Override
        public String ptx() {
            return ptx;
        }
    }

    /** One thread: copies from shared memory, by a matrix descriptor, into tensor memory. PTX 9.7.16.9.2. */
    record Copy(CtaGroup group, CopyShape shape, TensorAddress destination, Reg<B64> source) implements Tcgen05 {}

    /**
     * Orders asynchronous tcgen05 work against what synchronises threads: what was before, before it; what comes after,
     * after it. PTX 9.7.16.11.1.
     */
    record Fence(Side side) implements Tcgen05 {
        /** On which side of a synchronisation of threads the fence stands. */
        public enum Side implements Spelled {
            BEFORE_THREAD_SYNC,
            AFTER_THREAD_SYNC
        }
    }

    private static void requireColumns(String mnemonic, Operand<B32> columns) {
        if (columns instanceof Immediate<?> constant) {
            long value = constant.unsigned();
            Check.that(
                    value >= 32 && value <= COLUMNS && Long.bitCount(value) == 1,
                    mnemonic + ": columns must be a power of two 32.." + COLUMNS,
                    value);
        }
    }

    private static void requireSplit(String mnemonic, Shape shape, int split) {
        Check.that(
                shape == Shape.L16_B32_TWICE ? split >= 0 && split < COLUMNS : split == 0,
                mnemonic + ": ." + shape.ptx + " takes no such distance between its halves",
                split);
    }

    private static void requireRegisters(String mnemonic, Shape shape, List<?> registers) {
        int repetitions = registers.size() / shape.registers;
        Check.that(
                registers.size() % shape.registers == 0
                        && Integer.bitCount(repetitions) == 1
                        && repetitions <= shape.mostRepetitions,
                mnemonic + ": ." + shape.ptx + " takes " + shape.registers + " registers times a power of two up to "
                        + shape.mostRepetitions,
                registers.size());
    }
}
