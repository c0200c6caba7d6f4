package dev.tilewright.proof.compare;

import dev.tilewright.gemm.oracle.Allowance;
import dev.tilewright.launch.Along;
import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Epilogue;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
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
    /** For each row or column of D; empty if nothing is added. */
    private final double[] bias;

    private final byte[] before;
    private final double alpha;
    private final double beta;
    private final Allowance allowance;
    private final ErrorCount tally = new ErrorCount();

    GemmComparison(
            Expectation.Gemm gemm, LaunchDescription launch, Map<String, byte[]> before, Map<String, byte[]> after) {
        this.gemm = gemm;
        a = matrix(gemm.a(), launch, before);
        b = matrix(gemm.b(), launch, before);
        c = gemm.c().map(operand -> matrix(operand, launch, before));
        d = matrix(gemm.d(), launch, after);
        bias = gemm.bias().map(added -> bias(added, launch, before)).orElse(new double[0]);
        this.before = content(before, gemm.d().buffer());
        // A kernel is passed f32 factors, unless it computes in f64.
        boolean wide = d.type() == ElementType.F64;
        alpha = wide ? gemm.alpha() : (float) gemm.alpha();
        beta = wide ? gemm.beta() : (float) gemm.beta();
        allowance = GemmAllowance.of(gemm, d.type());
    }

    private static OperandMatrix matrix(
            Expectation.Operand operand, LaunchDescription launch, Map<String, byte[]> bytes) {
        return OperandMatrix.of(operand, launch.buffer(operand.buffer()), content(bytes, operand.buffer()));
    }

    private static double[] bias(Expectation.Bias bias, LaunchDescription launch, Map<String, byte[]> bytes) {
        ElementType type = launch.buffer(bias.buffer()).type();
        byte[] content = content(bytes, bias.buffer());
        return IntStream.range(0, launch.buffer(bias.buffer()).columns())
                .mapToDouble(i -> type.decode(Elements.get(content, i * type.bytes(), type)))
                .toArray();
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
                        + gemm.a().buffer() + " and " + gemm.b().buffer() + epilogue() + ", " + gemm.tolerance());
    }

    private String epilogue() {
        Epilogue epilogue = gemm.epilogue();
        return epilogue.equals(Epilogue.NONE) ? "" : ", epilogue " + epilogue;
    }

    private void element(int matrix, int m, int n, double[] row, double[] column) {
        double sum = 0;
        double magnitude = 0;
        for (int i = 0; i < row.length; i++) {
            double product = row[i] * column[i];
            sum += product;
            magnitude += Math.abs(product);
        }
        double argument = alpha == 1 ? sum : alpha * sum;
        double scale = Math.abs(alpha) * magnitude;
        if (beta != 0 && c.isPresent()) {
            double added = beta * c.get().value(matrix, m, n);
            argument += added;
            scale += Math.abs(added);
        }
        if (gemm.bias().isPresent()) {
            double added = bias[gemm.bias().get().along() == Along.M ? m : n];
            argument += added;
            scale += Math.abs(added);
        }
        double expected = gemm.activation().of(argument);
        double allowed = allowance.allowed(expected, argument, scale);
        tally.element(d.type(), d.bits(matrix, m, n), expected, allowed, () -> d.index(matrix, m, n));
    }

    /** What of the buffer is no element of D is as it was. */
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
