package dev.tilewright.proof.compare;

import dev.tilewright.gemm.oracle.Allowance;
import dev.tilewright.gemm.oracle.EpilogueReference;
import dev.tilewright.gemm.oracle.SumError;
import dev.tilewright.gemm.oracle.SumError.Signs;
import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.model.problem.DoubleArithmetic;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Scales;
import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Compares D with the GEMM and epilogue of what the operands held before the launch, computed in f64. */
final class GemmComparison {
    /** Rows of B that are decoded at a time. */
    private static final int PANEL = 64;

    private final Expectation.Gemm gemm;
    private final OperandMatrix a;
    private final OperandMatrix b;
    private final Optional<OperandMatrix> c;
    private final OperandMatrix d;
    /** Numbers for rows or columns of D, a vector for each matrix or one for all. */
    private final Optional<Vectors> bias;

    private final Optional<Vectors> scaleA;
    private final Optional<Vectors> scaleB;
    private final Optional<BlockScales> blocks;

    private final byte[] before;
    private final EpilogueReference epilogue;
    private final Allowance allowance;
    private final ErrorCount tally = new ErrorCount();

    GemmComparison(
            Expectation.Gemm gemm, LaunchDescription launch, Map<String, byte[]> before, Map<String, byte[]> after) {
        this.gemm = gemm;
        a = matrix(gemm.a(), launch, before);
        b = matrix(gemm.b(), launch, before);
        c = gemm.c().map(operand -> matrix(operand, launch, before));
        d = matrix(gemm.d(), launch, after);
        bias = gemm.bias()
                .map(buffer -> Vectors.of(
                        launch.buffer(buffer),
                        content(before, buffer),
                        gemm.epilogue().bias().orElseThrow()));
        Optional<Expectation.ScaleBuffers> ofRows =
                gemm.scales().filter(_ -> gemm.steps().scalesRows());
        scaleA = ofRows.map(each -> Vectors.of(launch.buffer(each.a()), content(before, each.a()), Major.M));
        scaleB = ofRows.map(each -> Vectors.of(launch.buffer(each.b()), content(before, each.b()), Major.N));
        blocks = gemm.scales()
                .filter(each -> each.kind() == Scales.BLOCK)
                .map(each -> BlockScales.of(each, launch, before));
        this.before = content(before, gemm.d().buffer());
        // A kernel is passed f32 factors, unless it computes in f64.
        epilogue = new EpilogueReference(gemm.steps(), new DoubleArithmetic(d.type() == ElementType.F64));
        boolean cut = a.type().isFloat() && a.type().bytes() == 1;
        double leastC = cut ? SumError.Cut.WHOLE.c(gemm.k(), Signs.RANDOM) : 0;
        allowance = GemmAllowance.of(gemm.tolerance(), gemm.steps(), gemm.k(), d.type(), leastC);
    }

    private static OperandMatrix matrix(
            Expectation.Operand operand, LaunchDescription launch, Map<String, byte[]> bytes) {
        return OperandMatrix.of(operand, launch.buffer(operand.buffer()), content(bytes, operand.buffer()));
    }

    /**
     * Vectors that steps read: a bias, or scales of rows.
     *
     * @param columns elements of a vector
     * @param several whether each matrix of a batch has its own
     */
    private record Vectors(double[] values, int columns, boolean several, Major along) {

        static Vectors of(BufferDescription buffer, byte[] content, Major along) {
            ElementType type = buffer.type();
            int columns = buffer.columns();
            boolean several = buffer.shape().size() > 1;
            int vectors = several ? Math.toIntExact(buffer.shape().getFirst()) : 1;
            double[] values = IntStream.range(0, vectors * columns)
                    .mapToDouble(i -> {
                        int vector = i / columns * Math.toIntExact(buffer.rowStride());
                        return type.decode(Elements.get(content, (vector + i % columns) * type.bytes(), type));
                    })
                    .toArray();
            return new Vectors(values, columns, several, along);
        }

        double at(int matrix, int m, int n) {
            return values[(several ? matrix * columns : 0) + (along == Major.M ? m : n)];
        }
    }

    private static double at(Optional<Vectors> vectors, int matrix, int m, int n, double otherwise) {
        return vectors.map(each -> each.at(matrix, m, n)).orElse(otherwise);
    }

    private static byte[] content(Map<String, byte[]> bytes, String buffer) {
        byte[] content = bytes.get(buffer);
        if (content == null) {
            throw new IllegalArgumentException("no content of buffer " + buffer);
        }
        return content;
    }

    Compared run() {
        double[][] panel = new double[Math.min(PANEL, gemm.n())][gemm.k()];
        double[] row = new double[gemm.k()];
        for (int matrix = 0; matrix < gemm.batch(); matrix++) {
            for (int first = 0; first < gemm.n(); first += PANEL) {
                int columns = Math.min(PANEL, gemm.n() - first);
                for (int i = 0; i < columns; i++) {
                    b.row(matrix, first + i, panel[i]);
                }
                for (int m = 0; m < gemm.m(); m++) {
                    a.row(matrix, m, row);
                    for (int i = 0; i < columns; i++) {
                        element(matrix, m, first + i, row, panel[i]);
                    }
                }
            }
        }
        untouched();
        return tally.compared(
                gemm.d().buffer(),
                "gemm " + gemm.m() + "x" + gemm.n() + "x" + gemm.k() + " of "
                        + gemm.a().buffer() + " and " + gemm.b().buffer() + ended() + ", " + gemm.tolerance());
    }

    private String ended() {
        return (gemm.scales().isEmpty() ? "" : ", scales " + gemm.scaled())
                + (gemm.epilogue().isNone() ? "" : ", epilogue " + gemm.epilogue());
    }

    private void element(int matrix, int m, int n, double[] row, double[] column) {
        double sum = 0;
        double magnitude = 0;
        double scale = 1;
        for (int i = 0; i < row.length; i++) {
            if (blocks.isPresent() && i % Scales.BLOCK_K == 0) {
                scale = blocks.get().at(matrix, m, n, i / Scales.BLOCK_K);
            }
            double product = scale * (row[i] * column[i]);
            sum += product;
            magnitude += Math.abs(product);
        }
        EpilogueReference.Expected expected = epilogue.of(
                sum,
                magnitude,
                new EpilogueOp.Addends<>(
                        at(scaleA, matrix, m, n, 1) * at(scaleB, matrix, m, n, 1),
                        at(bias, matrix, m, n, 0),
                        c.map(added -> added.value(matrix, m, n)).orElse(0.0)),
                allowance);
        tally.element(
                d.type(),
                d.bits(matrix, m, n),
                expected.value(),
                allowance.allowed(expected),
                () -> d.index(matrix, m, n));
    }

    /** Requires that the bytes of the buffer outside of D are unchanged. */
    private void untouched() {
        BufferDescription buffer = d.buffer();
        int size = buffer.type().bytes();
        long elements = (long) gemm.batch() * gemm.m() * gemm.n();
        if (elements * size == before.length) {
            return;
        }
        BitSet written = new BitSet(before.length / size);
        for (int matrix = 0; matrix < gemm.batch(); matrix++) {
            for (int m = 0; m < gemm.m(); m++) {
                for (int n = 0; n < gemm.n(); n++) {
                    written.set(d.offset(matrix, m, n) / size);
                }
            }
        }
        for (int i = 0; i < before.length; i++) {
            if (!written.get(i / size)) {
                int at = i;
                tally.same(d.bytes()[i], before[i], () -> "byte " + at + ", which is no element of D");
            }
        }
    }
}
