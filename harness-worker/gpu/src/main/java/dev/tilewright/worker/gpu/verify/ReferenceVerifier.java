package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.gemm.oracle.ReferenceGemm;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.worker.gpu.cuda.Gpu;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Verifies the reference itself by dot products in f64 on the CPU. In each GEMM it takes 256 random pairs of a row and
 * a column. It also takes the last rows at all sampled columns, and the last columns at all sampled rows. If there are
 * more than four GEMMs, each has fewer pairs, but always all tails.
 */
public final class ReferenceVerifier {

    static final int SAMPLES = 256;

    /** About how many samples all GEMMs have together: if there are many GEMMs, each has fewer. */
    private static final int SAMPLES_OF_ALL = 1024;

    private static final int MIN_SAMPLES = 8;

    /** Rows and columns at the end, the tails of any tile. */
    static final int TAIL = 8;

    /** Allowed relative error of the sum of |a b|, which is itself only part of a bound. */
    static final double MAGNITUDE_ERROR = 0x1p-12;

    /** So many errors may have one sign. */
    private static final int FEW = 16;

    private final Gpu gpu;
    private final TestData data;

    public ReferenceVerifier(Gpu gpu, TestData data) {
        this.gpu = gpu;
        this.data = data;
    }

    /** An element of the output. */
    record Element(int row, int column) {}

    /** How many random pairs of a row and a column are verified in each GEMM. */
    static int samples(int gemms) {
        return Math.clamp(SAMPLES_OF_ALL / gemms, MIN_SAMPLES, SAMPLES);
    }

    /** Elements of a GEMM that are verified. */
    static List<Element> elements(ProblemShape shape, int samples, long seed) {
        Random random = new Random(seed);
        int[] rows = random.ints(samples, 0, shape.m()).toArray();
        int[] columns = random.ints(samples, 0, shape.n()).toArray();
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < samples; i++) {
            elements.add(new Element(rows[i], columns[i]));
        }
        for (int tail = 1; tail <= TAIL; tail++) {
            for (int i = 0; i < samples; i++) {
                elements.add(new Element(Math.max(0, shape.m() - tail), columns[i]));
                elements.add(new Element(rows[i], Math.max(0, shape.n() - tail)));
            }
            for (int other = 1; other <= TAIL; other++) {
                elements.add(new Element(Math.max(0, shape.m() - tail), Math.max(0, shape.n() - other)));
            }
        }
        return elements.stream().distinct().toList();
    }

    /**
     * Verifies the sums at the elements of each GEMM.
     *
     * @throws IllegalStateException naming the first element where the reference is wrong
     */
    public void verify(long seed) {
        verify(data.plain(), seed, new Sums(data.problem().scales()));
    }

    /**
     * Verifies what an ending makes of them.
     *
     * @throws IllegalStateException naming the first element where the reference is wrong
     */
    public void verify(Ending ending, Reference reference, long seed) {
        verify(reference, seed, EndedSums.read(gpu, data, ending, reference));
    }

    /** The right values of a line of D as it lies. */
    interface Rule {

        /**
         * The right values of its elements; the data for them are read once.
         *
         * @param first index of the line's first element among all elements of D
         */
        OfElement line(long first, int width);
    }

    /** The right value of an element. */
    interface OfElement {

        /**
         * @param dot of the element, in f64
         * @param at its index in the line
         */
        Right at(ReferenceGemm.Element dot, int k, int at, Element element);
    }

    /**
     * A value and its allowance.
     *
     * @param error of the value that f32 may make
     * @param allowanceError of the allowance
     */
    record Right(double value, double error, double allowance, double allowanceError) {}

    /** The sums themselves. The reference adds in f32, whatever the inputs are: there is no room for tensor cores. */
    record Sums(Scales scales) implements Rule {
        @Override
        public OfElement line(long first, int width) {
            return (dot, k, at, element) -> new Right(
                    dot.value(),
                    errorOfSums(scales, k) * dot.absoluteSum(),
                    dot.absoluteSum(),
                    MAGNITUDE_ERROR * dot.absoluteSum());
        }
    }

    /**
     * The allowance of a sum of k products in f32, as a part of the sum of their magnitudes. Errors of random signs add
     * as sqrt(k); of a few, all may have one sign. Scales of blocks round each element of A and of B once before that.
     */
    static double errorOfSums(Scales scales, int k) {
        return (Math.max(Math.min(k, FEW), Math.sqrt(k)) + (scales == Scales.BLOCK ? 2 : 0)) * 0x1p-24;
    }

    private void verify(Reference reference, long seed, Rule rule) {
        int gemms = data.layout().gemms().size();
        for (int index = 0; index < gemms; index++) {
            String which = gemms == 1 ? "" : " of GEMM " + index;
            verify(reference, data.layout().gemms().get(index), which, samples(gemms), seed + index, rule);
        }
    }

    private void verify(Reference reference, OperandLayout.Gemm gemm, String which, int samples, long seed, Rule rule) {
        ProblemShape shape = gemm.shape();
        OperandSet set = data.sets().getFirst();
        Problem problem = data.problem();
        List<Element> elements = elements(shape, samples, seed);
        InputRows a = InputRows.read(
                gpu,
                new InputRows.Matrix(
                        data.addressOfA(set, gemm),
                        problem.types().a(),
                        problem.major().a() == Major.K,
                        shape.m(),
                        shape.k()),
                elements.stream().map(Element::row).toList());
        InputRows b = InputRows.read(
                gpu,
                new InputRows.Matrix(
                        data.addressOfB(set, gemm),
                        problem.types().b(),
                        problem.major().b() == Major.K,
                        shape.n(),
                        shape.k()),
                elements.stream().map(Element::column).toList());
        HostScales scales = HostScales.read(gpu, data, gemm);
        boolean byRows = problem.major().d() == Major.N;
        int width = byRows ? shape.n() : shape.m();
        Map<Integer, List<Element>> byLine = elements.stream()
                .collect(Collectors.groupingBy(
                        element -> byRows ? element.row() : element.column(), LinkedHashMap::new, Collectors.toList()));
        byLine.forEach((line, inLine) -> {
            // Whole lines: each copy waits for the device, and there are thousands of elements in some hundred lines.
            long first = gemm.d() + (long) line * width;
            float[] values = line(reference.valueAt(first), width);
            float[] allowances = line(reference.allowanceAt(first), width);
            OfElement rights = rule.line(first, width);
            for (Element element : inLine) {
                int at = byRows ? element.column() : element.row();
                ReferenceGemm.Element dot = dot(problem, a, b, element, shape.k(), scales);
                verify(shape + which, element, rights.at(dot, shape.k(), at, element), values[at], allowances[at]);
            }
        });
    }

    private static ReferenceGemm.Element dot(
            Problem problem, InputRows a, InputRows b, Element element, int k, HostScales scales) {
        float[] row = a.row(element.row());
        float[] column = b.row(element.column());
        return switch (problem.scales()) {
            case TENSOR, ROW -> ReferenceGemm.element(row, 0, column, 0, k);
            case BLOCK ->
                ReferenceGemm.element(
                        row,
                        0,
                        1,
                        column,
                        0,
                        1,
                        k,
                        block -> scales.at(element.row(), element.column(), block * Scales.BLOCK_K));
        };
    }

    private static void verify(String gemm, Element element, Right right, float value, float allowance) {
        if (!(Math.abs(value - right.value()) <= right.error())) {
            throw new IllegalStateException(
                    "the reference of " + gemm + " is wrong at row " + element.row() + ", column " + element.column()
                            + ": " + value + " instead of " + right.value() + ", allowed is an error of "
                            + right.error());
        }
        if (!(Math.abs(allowance - right.allowance()) <= right.allowanceError())) {
            throw new IllegalStateException(
                    "the allowance, by the sum of |a b|, of " + gemm + " is wrong at row " + element.row() + ", column "
                            + element.column() + ": " + allowance + " instead of " + right.allowance());
        }
    }

    /** Neighbours in a matrix of f32. */
    private float[] line(long address, int width) {
        byte[] bytes = new byte[width * Float.BYTES];
        gpu.read(address, bytes);
        float[] values = new float[width];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
        return values;
    }
}
