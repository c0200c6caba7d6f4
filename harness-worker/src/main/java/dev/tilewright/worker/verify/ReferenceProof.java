package dev.tilewright.worker.verify;

import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.worker.device.cuda.Gpu;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Proves the reference itself by dot products in f64 on the CPU: at 256 random pairs of a row and a column, and where
 * the last rows meet all sampled columns and the last columns all sampled rows.
 */
public final class ReferenceProof {

    static final int SAMPLES = 256;

    /** Rows and columns at the end, the tails of any tile. */
    static final int TAIL = 8;

    /** Allowed relative error of the sum of |a b|, which is itself only part of a bound. */
    private static final double MAGNITUDE_ERROR = 0x1p-12;

    private final Gpu gpu;
    private final TestData data;
    private final ProblemShape shape;

    public ReferenceProof(Gpu gpu, TestData data) {
        this.gpu = gpu;
        this.data = data;
        this.shape = data.problem().shape();
    }

    /** An element of the output. */
    record Element(int row, int column) {}

    /** Which elements are proved. */
    static List<Element> elements(ProblemShape shape, long seed) {
        Random random = new Random(seed);
        int[] rows = random.ints(SAMPLES, 0, shape.m()).toArray();
        int[] columns = random.ints(SAMPLES, 0, shape.n()).toArray();
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < SAMPLES; i++) {
            elements.add(new Element(rows[i], columns[i]));
        }
        for (int tail = 1; tail <= TAIL; tail++) {
            for (int i = 0; i < SAMPLES; i++) {
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
     * Checks the elements.
     *
     * @throws IllegalStateException naming the first element where the reference is wrong
     */
    public void check(long seed) {
        List<Element> elements = elements(shape, seed);
        Problem problem = data.problem();
        InputRows a = InputRows.read(
                gpu,
                new InputRows.Matrix(
                        data.sets().getFirst().a().address(),
                        problem.types().a(),
                        problem.major().a() == Major.K,
                        shape.m(),
                        shape.k()),
                elements.stream().map(Element::row).toList());
        InputRows b = InputRows.read(
                gpu,
                new InputRows.Matrix(
                        data.sets().getFirst().b().address(),
                        problem.types().b(),
                        problem.major().b() == Major.K,
                        shape.n(),
                        shape.k()),
                elements.stream().map(Element::column).toList());
        Map<Integer, List<Element>> byRow =
                elements.stream().collect(Collectors.groupingBy(Element::row, LinkedHashMap::new, Collectors.toList()));
        byRow.forEach((row, inRow) -> {
            // Whole rows: each copy waits for the device, and there are thousands of elements in some hundred rows.
            float[] reference = row(data.reference().address(), row);
            float[] magnitude = row(data.magnitude().address(), row);
            for (Element element : inRow) {
                check(
                        element,
                        a.row(row),
                        b.row(element.column()),
                        reference[element.column()],
                        magnitude[element.column()]);
            }
        });
    }

    private void check(Element element, float[] a, float[] b, float reference, float sum) {
        double exact = 0;
        double magnitude = 0;
        for (int i = 0; i < a.length; i++) {
            double product = (double) a[i] * b[i];
            exact += product;
            magnitude += Math.abs(product);
        }
        // The reference adds in f32, whatever the inputs are: there is no room for tensor cores in it.
        double bound = ErrorBound.BF16.scale(shape.k()) * magnitude;
        if (!(Math.abs(reference - exact) <= bound)) {
            throw new IllegalStateException(
                    "the reference of " + shape + " is wrong at row " + element.row() + ", column " + element.column()
                            + ": " + reference + " instead of " + exact + ", allowed is an error of " + bound);
        }
        if (!(Math.abs(sum - magnitude) <= MAGNITUDE_ERROR * magnitude)) {
            throw new IllegalStateException("the sum of |a b| of " + shape + " is wrong at row " + element.row()
                    + ", column " + element.column() + ": " + sum + " instead of " + magnitude);
        }
    }

    /** A row of an M x N matrix of f32. */
    private float[] row(long matrix, int row) {
        byte[] bytes = new byte[shape.n() * Float.BYTES];
        gpu.read(matrix + (long) row * bytes.length, bytes);
        float[] values = new float[shape.n()];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
        return values;
    }
}
