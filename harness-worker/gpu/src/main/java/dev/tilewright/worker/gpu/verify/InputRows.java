package dev.tilewright.worker.gpu.verify;

import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.worker.gpu.cuda.Gpu;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * Some rows of A or B, read back from the device.
 *
 * @param indices which rows, ascending
 * @param values each with all of K
 */
record InputRows(int[] indices, float[][] values) {

    /**
     * An input on the device, packed.
     *
     * @param kMajor whether it lies row by row; otherwise column by column, each of {@code rows} elements
     * @param rows M or N
     * @param depth K
     */
    record Matrix(long address, DataType type, boolean kMajor, int rows, int depth) {

        private ElementType element() {
            return ElementType.named(type.toString());
        }

        /** Neighbours in memory: a row or a column. */
        private byte[] line(Gpu gpu, int index) {
            byte[] bytes = new byte[(kMajor ? depth : rows) * type.bytes()];
            gpu.read(address + (long) index * bytes.length, bytes);
            return bytes;
        }
    }

    /** Reads rows; of a matrix that does not lie by rows all of it is read once, column by column. */
    static InputRows read(Gpu gpu, Matrix matrix, List<Integer> rows) {
        int[] indices = new TreeSet<>(rows).stream().mapToInt(Integer::intValue).toArray();
        float[][] values = new float[indices.length][matrix.depth];
        ElementType element = matrix.element();
        if (matrix.kMajor) {
            for (int i = 0; i < indices.length; i++) {
                byte[] line = matrix.line(gpu, indices[i]);
                for (int k = 0; k < matrix.depth; k++) {
                    values[i][k] = value(line, k, element);
                }
            }
            return new InputRows(indices, values);
        }
        for (int k = 0; k < matrix.depth; k++) {
            byte[] line = matrix.line(gpu, k);
            for (int i = 0; i < indices.length; i++) {
                values[i][k] = value(line, indices[i], element);
            }
        }
        return new InputRows(indices, values);
    }

    private static float value(byte[] line, int index, ElementType element) {
        return (float) element.decode(Elements.get(line, index * element.bytes(), element));
    }

    /** All of K of a row that was read. */
    float[] row(int index) {
        return values[Arrays.binarySearch(indices, index)];
    }
}
