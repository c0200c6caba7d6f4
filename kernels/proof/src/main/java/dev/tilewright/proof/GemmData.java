package dev.tilewright.proof;

import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.gemm.launch.OperandLayout.Gemm;
import dev.tilewright.gemm.oracle.Allowance;
import dev.tilewright.gemm.oracle.EpilogueReference;
import dev.tilewright.gemm.oracle.EpilogueReference.Expected;
import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.gemm.oracle.ReferenceGemm;
import dev.tilewright.gemm.oracle.ReferenceGemm.Element;
import dev.tilewright.gemm.oracle.SumError;
import dev.tilewright.gemm.oracle.SumError.Signs;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/** A and B of one run, and what D must be; of the types of the problem. */
final class GemmData {

    /** How A and B are drawn. */
    enum Kind {
        /**
         * Integers from -2 to 2, and scales that are powers of two of these: every partial sum is exact in f32, so D is
         * known to the bit.
         */
        INTEGERS,
        /** Random normal, with positive scales: D is known within {@link ErrorBound}. */
        NORMAL,
        /** Their magnitudes: likewise, and a sum that is cut while it is added up is further off than elsewhere. */
        ONE_SIGN;

        Signs signs() {
            return this == ONE_SIGN ? Signs.ONE : Signs.RANDOM;
        }
    }

    private static final int LARGEST = 2;

    /** Exponents of two of scales that are no powers of two. */
    private static final int LEAST_SCALE = -6;

    private static final int LARGEST_SCALE = 2;

    /** The largest magnitude up to which all integers are exact in f32. */
    private static final int EXACT = 1 << 24;

    private final OperandLayout layout;
    private final OperandMajors major;
    private final Kind kind;
    private final Operand a;
    private final Operand b;
    private final ElementType output;
    private final ErrorBound bound;
    private final EpilogueReference epilogue;
    private final Scales scales;
    private final Operand scaleA;
    private final Operand scaleB;
    private final boolean biasAlongN;
    private final Operand bias;
    private final Operand c;

    /** Values, each one that the type holds. */
    private record Operand(ElementType type, float[] values) {
        byte[] bytes() {
            byte[] bytes = new byte[Math.multiplyExact(values.length, type.bytes())];
            for (int i = 0; i < values.length; i++) {
                Elements.put(bytes, i * type.bytes(), type, type.encode(values[i]));
            }
            return bytes;
        }
    }

    /** @param sumError how far sums may be off, as {@link GemmKernel#sumError} */
    GemmData(Problem problem, Kind kind, long seed, SumError sumError) {
        for (ProblemShape shape : problem.groups()) {
            if (kind == Kind.INTEGERS && shape.k() > EXACT / (LARGEST * LARGEST)) {
                throw new IllegalArgumentException(
                        "k = " + shape.k() + ": sums of that many products are not exact in f32");
            }
        }
        layout = OperandLayout.of(problem);
        this.kind = kind;
        major = problem.major();
        output = element(problem.types().d());
        bound = new ErrorBound(output.halfUnit(), sumError);
        // Neighbouring seeds of this generator give streams that overlap, so the seed is mixed once more.
        SplittableRandom random = new SplittableRandom(new SplittableRandom(seed).nextLong());
        a = draw(random, element(problem.types().a()), Math.toIntExact(layout.elementsA()));
        b = draw(random, element(problem.types().b()), Math.toIntExact(layout.elementsB()));
        epilogue = new EpilogueReference(problem.steps());
        biasAlongN = problem.epilogue().bias().filter(Major.N::equals).isPresent();
        bias = draw(random, output, Math.toIntExact(layout.elementsOfBias(problem.epilogue())));
        c = draw(random, output, problem.epilogue().addsC() ? Math.toIntExact(layout.elementsD()) : 0);
        scales = problem.scales();
        scaleA = drawScales(random, OperandRole.A);
        scaleB = drawScales(random, OperandRole.B);
    }

    private static ElementType element(DataType type) {
        return ElementType.named(type.toString());
    }

    private Operand draw(SplittableRandom random, ElementType type, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            double drawn = switch (kind) {
                case INTEGERS -> random.nextInt(-LARGEST, LARGEST + 1);
                case NORMAL -> (float) random.nextGaussian();
                case ONE_SIGN -> (float) Math.abs(random.nextGaussian());
            };
            values[i] = (float) type.decode(type.encode(drawn));
        }
        return new Operand(type, values);
    }

    /** Between lines there is a NaN, which no kernel needs. */
    private Operand drawScales(SplittableRandom random, OperandRole role) {
        float[] values = new float[Math.toIntExact(layout.elementsOfScales(scales, role))];
        Arrays.fill(values, Float.NaN);
        for (Gemm gemm : layout.gemms()) {
            int first = Math.toIntExact(gemm.first(BufferRole.scales(role)));
            for (int line = 0; line < scales.lines(role, gemm.shape()); line++) {
                int start = first + line * scales.pitch(role, gemm.shape());
                for (int i = 0; i < scales.extent(role, gemm.shape()); i++) {
                    values[start + i] = (float) Math.pow(2, exponent(random));
                }
            }
        }
        return new Operand(ElementType.F32, values);
    }

    private double exponent(SplittableRandom random) {
        return switch (kind) {
            case INTEGERS -> random.nextInt(-LARGEST, LARGEST + 1);
            case NORMAL, ONE_SIGN -> random.nextDouble(LEAST_SCALE, LARGEST_SCALE);
        };
    }

    byte[] a() {
        return a.bytes();
    }

    byte[] b() {
        return b.bytes();
    }

    /** The scales and the operands that the epilogue adds, by buffer. */
    Map<BufferRole, byte[]> added() {
        Map<BufferRole, byte[]> added = new EnumMap<>(BufferRole.class);
        Map.of(BufferRole.SCALE_A, scaleA, BufferRole.SCALE_B, scaleB, BufferRole.BIAS, bias, BufferRole.C, c)
                .forEach((role, operand) -> {
                    if (operand.values.length > 0) {
                        added.put(role, operand.bytes());
                    }
                });
        return added;
    }

    /** D before the run: a NaN in every element. */
    byte[] poison() {
        int count = Math.toIntExact(layout.elementsD());
        byte[] bytes = new byte[Math.multiplyExact(count, output.bytes())];
        for (int i = 0; i < count; i++) {
            Elements.put(bytes, i * output.bytes(), output, output.poison());
        }
        return bytes;
    }

    /**
     * Compares every element of D, the epilogue of scale * A * B.
     *
     * @param witness hears how far off the worst one is, where the data are not whole numbers
     */
    Optional<Flaw> flaw(byte[] d, float scale, Witness witness) {
        Flaw.WrongResult first = null;
        long wrong = 0;
        double worst = 0;
        for (Gemm gemm : layout.gemms()) {
            ProblemShape shape = gemm.shape();
            for (int row = 0; row < shape.m(); row++) {
                for (int column = 0; column < shape.n(); column++) {
                    int at = Math.toIntExact(gemm.d()) + row * shape.n() + column;
                    long bits = Elements.get(d, output.bytes() * at, output);
                    Expected expected = expected(gemm, row, column, scale);
                    double ratio = ratio(output.decode(bits), expected);
                    worst = Math.max(worst, ratio);
                    if (!(ratio <= 1)) {
                        wrong++;
                        first = first == null ? wrongResult(gemm, row, column, bits, expected) : first;
                    }
                }
            }
        }
        if (!isExact()) {
            witness.compared(worst);
        }
        return first == null ? Optional.empty() : Optional.of(first.amongAll(wrong));
    }

    private Expected expected(Gemm gemm, int row, int column, float scale) {
        ProblemShape shape = gemm.shape();
        Element product = element(gemm, row, column);
        int inVector = Math.toIntExact(gemm.bias()) + (biasAlongN ? column : row);
        return epilogue.of(
                scale * product.value(),
                Math.abs(scale) * product.absoluteSum(),
                new EpilogueOp.Addends<>(
                        epilogue.epilogue().scalesRows() ? scale(gemm, row, column, 0) : 1,
                        bias.values.length == 0 ? 0.0 : bias.values[inVector],
                        c.values.length == 0 ? 0.0 : c.values[Math.toIntExact(gemm.d()) + row * shape.n() + column]),
                new Allowance(
                        bound.relative(),
                        0,
                        0,
                        bound.scale(shape.k() + epilogue.epilogue().roundings(), kind.signs()),
                        Allowance.ofSteps(epilogue.epilogue())));
    }

    /** The scale of an element of A times that of one of B. */
    private double scale(Gemm gemm, int row, int column, int k) {
        int inA = Math.toIntExact(gemm.scaleA()) + scales.index(OperandRole.A, gemm.shape(), row, k);
        int inB = Math.toIntExact(gemm.scaleB()) + scales.index(OperandRole.B, gemm.shape(), column, k);
        return (double) scaleA.values[inA] * scaleB.values[inB];
    }

    private Element element(Gemm gemm, int row, int column) {
        ProblemShape shape = gemm.shape();
        Line ofA = line(major.a(), gemm.a(), row, shape.m(), shape.k());
        Line ofB = line(major.b(), gemm.b(), column, shape.n(), shape.k());
        return switch (scales) {
            case TENSOR, ROW ->
                ReferenceGemm.element(a.values, ofA.first, ofA.step, b.values, ofB.first, ofB.step, shape.k());
            case BLOCK ->
                ReferenceGemm.element(
                        a.values,
                        ofA.first,
                        ofA.step,
                        b.values,
                        ofB.first,
                        ofB.step,
                        shape.k(),
                        block -> scale(gemm, row, column, block * Scales.BLOCK_K));
        };
    }

    /** The elements along K of one row of A or B: the index of the first, and the step to the next. */
    private record Line(int first, int step) {}

    private static Line line(Major major, long before, int row, int rows, int depth) {
        int start = Math.toIntExact(before);
        return major == Major.K ? new Line(start + row * depth, 1) : new Line(start + row, rows);
    }

    /** Whether D is known to the bit. */
    private boolean isExact() {
        return kind == Kind.INTEGERS && epilogue.epilogue().isExact();
    }

    /** Whole numbers are exact before they are rounded, once, to the type of D. */
    private double exact(Expected expected) {
        return output.decode(output.encode(expected.value()));
    }

    /** The error over its bound; where D is known to the bit there is no room for an error. */
    private double ratio(double actual, Expected expected) {
        if (isExact()) {
            return actual == exact(expected) ? 0 : Double.POSITIVE_INFINITY;
        }
        double error = Math.abs(actual - expected.value());
        return error == 0 ? 0 : error / room(expected);
    }

    private double room(Expected expected) {
        return bound.relative() * Math.abs(expected.value()) + expected.error();
    }

    private Flaw.WrongResult wrongResult(Gemm gemm, int row, int column, long bits, Expected element) {
        double expected = isExact() ? exact(element) : element.value();
        double room = isExact() ? 0 : room(element);
        return new Flaw.WrongResult(
                1,
                layout.elementsD(),
                layout.gemms().size() == 1
                        ? OptionalInt.empty()
                        : OptionalInt.of(layout.gemms().indexOf(gemm)),
                row,
                column,
                bits == output.poison(),
                (float) output.decode(bits),
                expected,
                room);
    }
}
