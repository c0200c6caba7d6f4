package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.async.MatrixReader;
import dev.tilewright.emulator.async.UnwrittenRows;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Unwritten;
import dev.tilewright.emulator.memory.SharedMemory;
import dev.tilewright.emulator.number.ElementFormat;
import dev.tilewright.emulator.order.Actor;
import dev.tilewright.emulator.order.TensorAccess;
import dev.tilewright.emulator.order.TensorShadow;
import dev.tilewright.emulator.tensor.DenseProduct;
import dev.tilewright.emulator.tensor.InstructionDescriptor;
import dev.tilewright.emulator.tensor.MatrixDescriptor;
import dev.tilewright.emulator.tensor.TensorDescriptor;
import dev.tilewright.emulator.warp.Origin;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.type.Element;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A tcgen05.mma: D (+)= A * B. Of a pair each CTA holds its half of the rows of A and D, and half of the columns of B;
 * a descriptor means the same address in both. PTX 9.7.16.10.9.1.
 */
final class MultiplyWork implements TensorWork {
    /** The source of A. */
    sealed interface OperandA {
        /** Shared memory, by a descriptor's bits. */
        record Shared(long descriptor) implements OperandA {}

        /** Tensor memory: lanes as D's rows, elements in a row packed in columns. */
        record Tensor(int address) implements OperandA {}
    }

    private static final int CHUNK_COLUMNS = MatrixReader.DEPTH / 4;

    private final Origin origin;
    private final CtaGroup group;
    private final InstructionDescriptor shape;
    private final List<TensorUnit> units;
    private final Accumulators d;
    private final OperandA a;
    private final MatrixDescriptor b;
    private final DisabledLanes disabled;
    private final boolean accumulate;
    private final TensorRead read;
    /** The unwritten bytes of each CTA's operands. */
    private final List<Missing> unwritten = new ArrayList<>();

    /** Rows of A and columns of B that some element misses. */
    private record Missing(UnwrittenRows rows, UnwrittenRows columns) {}

    /** A multiplication that the actor has just issued; claims the memory that it reads. */
    MultiplyWork(
            Origin origin,
            CtaGroup group,
            InstructionDescriptor shape,
            List<TensorUnit> units,
            int d,
            OperandA a,
            long b,
            DisabledLanes disabled,
            boolean accumulate,
            TensorAccess access,
            Actor actor) {
        this.origin = origin;
        this.group = group;
        this.shape = shape;
        this.units = units;
        this.d = Accumulators.of(group, shape.m(), shape.n(), d);
        this.a = a;
        this.b = matrix("B", b, shape.b(), shape.n() / group.ctas(), shape.transposeB());
        this.disabled = disabled;
        this.accumulate = accumulate;
        read = new TensorRead(origin, "tcgen05.mma", access.access());
        requireD(d);
        for (int cta = 0; cta < units.size(); cta++) {
            TensorUnit unit = units.get(cta);
            SharedMemory shared = unit.shared();
            UnwrittenRows rows = new UnwrittenRows(readerA());
            UnwrittenRows columns = new UnwrittenRows(readerB());
            unwritten.add(new Missing(rows, columns));
            actor.order().issueTensorWork(actor.lane(), () -> {
                if (a instanceof OperandA.Shared s) {
                    readerA().chunks(matrixA(s), at -> read.claim(shared, at, rows));
                }
                readerB().chunks(this.b, at -> read.claim(shared, at, columns));
            });
            touch(unit, cta, access, actor);
        }
    }

    private static MatrixDescriptor matrix(String name, long bits, Element type, int rows, boolean transposed) {
        TensorDescriptor.refusal(bits).ifPresent(rule -> {
            throw new HazardFound(new Hazard.BadDescriptor(name, bits, rule));
        });
        MatrixDescriptor matrix = TensorDescriptor.decode(bits);
        matrix.rowRefusal(transposed ? rows * type.bits() / 8 : MatrixReader.DEPTH)
                .ifPresent(rule -> {
                    throw new HazardFound(new Hazard.BadDescriptor(name, bits, rule));
                });
        return matrix;
    }

    private MatrixDescriptor matrixA(OperandA.Shared shared) {
        return matrix("A", shared.descriptor(), shape.a(), d.rows(), shape.transposeA());
    }

    private MatrixReader readerA() {
        return new MatrixReader(shape.a(), d.rows(), shape.transposeA(), shape.negateA() ? -1f : 1f);
    }

    private MatrixReader readerB() {
        return new MatrixReader(shape.b(), shape.n() / units.size(), shape.transposeB(), shape.negateB() ? -1f : 1f);
    }

    private void requireD(int address) {
        if (!d.isAligned()) {
            throw new HazardFound(new Hazard.TensorMemoryMisuse("tcgen05.mma of M = " + shape.m() + " into lane "
                    + (address >>> 16) + ", where its layout cannot begin"));
        }
        if (a instanceof OperandA.Tensor t) {
            int lane = t.address() >>> 16;
            if (d.halves()) {
                throw new HazardFound(new Hazard.TensorMemoryMisuse(
                        "A in tensor memory with M = 128 and .cta_group::2 is not emulated"));
            }
            if (lane != d.lane()) {
                throw new HazardFound(new Hazard.TensorMemoryMisuse(
                        "tcgen05.mma with A in lane " + lane + " and D in lane " + d.lane()));
            }
            if (shape.transposeA()) {
                throw new HazardFound(new Hazard.BadOperand("A in tensor memory cannot be M-major"));
            }
        }
    }

    /** Notes what it accesses of the tensor memory of a CTA. */
    private void touch(TensorUnit unit, int cta, TensorAccess access, Actor actor) {
        TensorMemory memory = unit.memory();
        TensorShadow shadow = memory.shadow();
        int lanes = 1 << actor.lane();
        if (a instanceof OperandA.Tensor t) {
            int first = t.address() & 0xFFFF;
            memory.requireOwned(unit, first, CHUNK_COLUMNS, "the A of a tcgen05.mma");
            for (int column = first; column < first + CHUNK_COLUMNS; column++) {
                for (int lane = 0; lane < TensorMemory.LANES; lane += TensorMemory.GRANULE_LANES) {
                    if (d.uses(lane)) {
                        shadow.read(actor, lanes, access, TensorMemory.granule(column, lane));
                    }
                }
            }
        }
        memory.requireOwned(unit, d.column(), d.columns(), "the D of a tcgen05.mma");
        for (int column = d.column(); column < d.column() + d.columns(); column++) {
            for (int lane = 0; lane < TensorMemory.LANES; lane += TensorMemory.GRANULE_LANES) {
                if (d.uses(lane) && !disabled.hasAll(cta, lane)) {
                    shadow.write(actor, lanes, access, TensorMemory.granule(column, lane));
                }
            }
        }
    }

    @Override
    public Origin origin() {
        return origin;
    }

    @Override
    public CtaGroup group() {
        return group;
    }

    @Override
    public void execute() {
        DenseProduct product = units.getFirst().cores().product(d.rows());
        int n = shape.n();
        int part = n / units.size();
        for (int i = 0; i < units.size(); i++) {
            readerB().read(units.get(i).shared().data(), b, product.b(), i * part, 1, n);
        }
        for (int cta = 0; cta < units.size(); cta++) {
            TensorUnit unit = units.get(cta);
            Undefined undefined = new Undefined(n);
            undefined.operands(unwritten, cta, part);
            loadA(unit, product.a(), undefined);
            if (accumulate) {
                loadD(unit.memory(), cta, product.tile(), undefined);
            } else {
                product.clear(n);
            }
            product.multiplyAdd(n, shape.k(), shape.d(), shape.saturate());
            storeD(unit.memory(), cta, product.tile(), undefined);
            unit.cores().tally().countMultiplyAdds((long) d.rows() * n * shape.k());
        }
        read.release();
    }

    /** Elements of the D of a CTA that mean nothing, and the first read of which that comes. */
    private static final class Undefined {
        private final int n;
        private final BitSet elements = new BitSet();
        private @Nullable Unwritten source;

        private Undefined(int n) {
            this.n = n;
        }

        private void operands(List<Missing> all, int cta, int part) {
            UnwrittenRows rows = all.get(cta).rows();
            row(rows::has, rows.first());
            for (int i = 0; i < all.size(); i++) {
                UnwrittenRows columns = all.get(i).columns();
                for (int column = 0; column < part && !columns.isEmpty(); column++) {
                    for (int row = 0; row < TensorMemory.LANES && columns.has(column); row++) {
                        element(row * n + i * part + column, Objects.requireNonNull(columns.first()));
                    }
                }
            }
        }

        private void row(IntPredicate such, @Nullable Unwritten read) {
            for (int row = 0; row < TensorMemory.LANES && read != null; row++) {
                for (int column = 0; column < n && such.test(row); column++) {
                    element(row * n + column, read);
                }
            }
        }

        private void element(int index, Unwritten read) {
            elements.set(index);
            source = source == null ? read : source;
        }
    }

    private void loadA(TensorUnit unit, double[] to, Undefined undefined) {
        switch (a) {
            case OperandA.Shared s -> readerA().read(unit.shared().data(), matrixA(s), to, 0, shape.k(), 1);
            case OperandA.Tensor t -> {
                Element type = shape.a();
                int perWord = 32 / type.bits();
                float sign = shape.negateA() ? -1f : 1f;
                for (int row = 0; row < d.rows(); row++) {
                    int lane = d.lane(row, 0);
                    for (int i = 0; i < CHUNK_COLUMNS; i++) {
                        int column = (t.address() & 0xFFFF) + i;
                        if (!unit.memory().isWritten(column, lane)) {
                            int unwrittenRow = row;
                            undefined.row(r -> r == unwrittenRow, unwritten(unit.memory(), column, lane));
                        }
                        int word = unit.memory().get(column, lane);
                        for (int j = 0; j < perWord; j++) {
                            to[row * shape.k() + i * perWord + j] =
                                    sign * ElementFormat.decode(type, word >>> j * type.bits());
                        }
                    }
                }
            }
        }
    }

    private void loadD(TensorMemory memory, int cta, double[] tile, Undefined undefined) {
        for (int row = 0; row < d.rows(); row++) {
            for (int at = 0; at < d.n(); at++) {
                int lane = d.lane(row, at);
                int column = d.column(at);
                boolean skipped = disabled.has(cta, lane);
                if (!skipped && !memory.isWritten(column, lane)) {
                    undefined.element(row * d.n() + at, unwritten(memory, column, lane));
                }
                tile[row * d.n() + at] = skipped ? 0 : ElementFormat.accumulator(shape.d(), memory.get(column, lane));
            }
        }
    }

    private Unwritten unwritten(TensorMemory memory, int column, int lane) {
        Unwritten known = memory.source(column, lane);
        return known != null
                ? known
                : new Unwritten(this::toString, () -> "column " + column + ", lane " + lane + " of tensor memory");
    }

    private void storeD(TensorMemory memory, int cta, double[] tile, Undefined undefined) {
        for (int row = 0; row < d.rows(); row++) {
            for (int at = 0; at < d.n(); at++) {
                int lane = d.lane(row, at);
                if (!disabled.has(cta, lane)) {
                    memory.set(
                            d.column(at),
                            lane,
                            ElementFormat.encode(shape.d(), shape.saturate(), tile[row * d.n() + at]));
                    if (undefined.elements.get(row * d.n() + at)) {
                        memory.undefine(d.column(at), lane, Objects.requireNonNull(undefined.source));
                    }
                }
            }
        }
    }

    @Override
    public String toString() {
        return "the tcgen05.mma of " + origin;
    }
}
