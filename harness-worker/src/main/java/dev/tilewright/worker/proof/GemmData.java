package dev.tilewright.worker.proof;

import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.gemm.oracle.Bf16;
import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.gemm.oracle.ReferenceGemm;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/** A and B of one run, and what D must be. bf16, as {@link ReferenceGemm} takes them. */
final class GemmData {

    /** How A and B are drawn. */
    enum Kind {
        /** Whole numbers -2..2: every partial sum is exact in f32, so that D is known to the bit. */
        INTEGERS,
        /** Random normal: D is known within {@link ErrorBound}. */
        NORMAL
    }

    private static final int LARGEST = 2;
    /** Whole numbers up to here are exact in f32. */
    private static final int EXACT = 1 << 24;

    private final OperandLayout layout;
    private final Kind kind;
    private final short[] a;
    private final short[] b;

    GemmData(Problem problem, Kind kind, long seed) {
        for (ProblemShape shape : problem.groups()) {
            if (kind == Kind.INTEGERS && shape.k() > EXACT / (LARGEST * LARGEST)) {
                throw new IllegalArgumentException(
                        "k = " + shape.k() + ": sums of that many products are not exact in f32");
            }
        }
        this.layout = OperandLayout.of(problem);
        this.kind = kind;
        // Neighbouring seeds of this generator give streams that overlap, so the seed is mixed once more.
        SplittableRandom random = new SplittableRandom(new SplittableRandom(seed).nextLong());
        a = draw(random, Math.toIntExact(layout.elementsA()));
        b = draw(random, Math.toIntExact(layout.elementsB()));
    }

    private short[] draw(SplittableRandom random, int count) {
        short[] values = new short[count];
        for (int i = 0; i < count; i++) {
            values[i] = Bf16.ofFloat(
                    switch (kind) {
                        case INTEGERS -> random.nextInt(-LARGEST, LARGEST + 1);
                        case NORMAL -> (float) random.nextGaussian();
                    });
        }
        return values;
    }

    byte[] a() {
        return bytes(a);
    }

    byte[] b() {
        return bytes(b);
    }

    /** D before the run: a NaN in every element. */
    byte[] poison() {
        short[] d = new short[Math.toIntExact(layout.elementsD())];
        Arrays.fill(d, Bf16.POISON);
        return bytes(d);
    }

    private static byte[] bytes(short[] values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asShortBuffer().put(values);
        return buffer.array();
    }

    /**
     * Compares every element of D.
     *
     * @param witness hears how far off the worst one is, where the data are not whole numbers
     */
    Optional<Flaw> flaw(byte[] d, Witness witness) {
        ByteBuffer values = ByteBuffer.wrap(d).order(ByteOrder.LITTLE_ENDIAN);
        Flaw.WrongResult first = null;
        long wrong = 0;
        double worst = 0;
        for (OperandLayout.Gemm gemm : layout.gemms()) {
            ProblemShape shape = gemm.shape();
            short[] ownA = own(a, gemm.a(), shape.m(), shape.k());
            short[] ownB = own(b, gemm.b(), shape.n(), shape.k());
            for (int row = 0; row < shape.m(); row++) {
                for (int column = 0; column < shape.n(); column++) {
                    int at = Math.toIntExact(gemm.d()) + row * shape.n() + column;
                    short bits = values.getShort(Short.BYTES * at);
                    ReferenceGemm.Element element = ReferenceGemm.element(ownA, ownB, shape.k(), row, column);
                    double ratio = ratio(Bf16.toFloat(bits), element, shape.k());
                    worst = Math.max(worst, ratio);
                    if (!(ratio <= 1)) {
                        wrong++;
                        first = first == null ? wrongResult(gemm, row, column, bits, element) : first;
                    }
                }
            }
        }
        if (kind == Kind.NORMAL) {
            witness.compared(worst);
        }
        return first == null ? Optional.empty() : Optional.of(first.amongAll(wrong));
    }

    private short[] own(short[] all, long first, int rows, int k) {
        int from = Math.toIntExact(first);
        return layout.gemms().size() == 1 ? all : Arrays.copyOfRange(all, from, from + rows * k);
    }

    /** The error over its bound; whole numbers have no room for an error. */
    private double ratio(float actual, ReferenceGemm.Element element, int k) {
        return switch (kind) {
            case INTEGERS -> actual == Bf16.round((float) element.value()) ? 0 : Double.POSITIVE_INFINITY;
            case NORMAL -> ErrorBound.BF16.ratio(actual, element.value(), element.absoluteSum(), k);
        };
    }

    private Flaw.WrongResult wrongResult(
            OperandLayout.Gemm gemm, int row, int column, short bits, ReferenceGemm.Element element) {
        double expected = switch (kind) {
            case INTEGERS -> Bf16.round((float) element.value());
            case NORMAL -> element.value();
        };
        double bound = switch (kind) {
            case INTEGERS -> 0;
            case NORMAL ->
                ErrorBound.BF16.relative() * Math.abs(expected)
                        + ErrorBound.BF16.scale(gemm.shape().k()) * element.absoluteSum();
        };
        return new Flaw.WrongResult(
                1,
                layout.elementsD(),
                layout.gemms().size() == 1
                        ? OptionalInt.empty()
                        : OptionalInt.of(layout.gemms().indexOf(gemm)),
                row,
                column,
                bits == Bf16.POISON,
                Bf16.toFloat(bits),
                expected,
                bound);
    }
}
