package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
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
    private static final double MAGNITUDE_ERROR = 0x1p-12;

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

    /** Which elements of a GEMM are verified. */
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
     * Verifies the elements of each GEMM.
     *
     * @throws IllegalStateException naming the first element where the reference is wrong
     */
    public void verify(long seed) {
        int gemms = data.layout().gemms().size();
        for (int index = 0; index < gemms; index++) {
            String which = gemms == 1 ? "" : " of GEMM " + index;
            verify(data.layout().gemms().get(index), which, samples(gemms), seed + index);
        }
    }

    private void verify(OperandLayout.Gemm gemm, String which, int samples, long seed) {
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
        Map<Integer, List<Element>> byRow =
                elements.stream().collect(Collectors.groupingBy(Element::row, LinkedHashMap::new, Collectors.toList()));
        byRow.forEach((row, inRow) -> {
            // Whole rows: each copy waits for the device, and there are thousands of elements in some hundred rows.
            float[] reference = row(data.addressOfReference(gemm), shape.n(), row);
            float[] magnitude = row(data.addressOfMagnitude(gemm), shape.n(), row);
            for (Element element : inRow) {
                verify(
                        shape + which,
                        element,
                        a.row(row),
                        b.row(element.column()),
                        reference[element.column()],
                        magnitude[element.column()]);
            }
        });
    }

    private static void verify(String gemm, Element element, float[] a, float[] b, float reference, float sum) {
        double exact = 0;
        double magnitude = 0;
        for (int i = 0; i < a.length; i++) {
            double product = (double) a[i] * b[i];
            exact += product;
            magnitude += Math.abs(product);
        }
        // The reference adds in f32, whatever the inputs are: there is no room for tensor cores in it.
        double bound = ErrorBound.BF16.scale(a.length) * magnitude;
        if (!(Math.abs(reference - exact) <= bound)) {
            throw new IllegalStateException(
                    "the reference of " + gemm + " is wrong at row " + element.row() + ", column " + element.column()
                            + ": " + reference + " instead of " + exact + ", allowed is an error of " + bound);
        }
        if (!(Math.abs(sum - magnitude) <= MAGNITUDE_ERROR * magnitude)) {
            throw new IllegalStateException("the sum of |a b| of " + gemm + " is wrong at row " + element.row()
                    + ", column " + element.column() + ": " + sum + " instead of " + magnitude);
        }
    }

    /** A row of a matrix of f32. */
    private float[] row(long matrix, int columns, int row) {
        byte[] bytes = new byte[columns * Float.BYTES];
        gpu.read(matrix + (long) row * bytes.length, bytes);
        float[] values = new float[columns];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
        return values;
    }
}
