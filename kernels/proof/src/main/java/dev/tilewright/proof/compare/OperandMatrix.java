package dev.tilewright.proof.compare;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation.Operand;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;

/** The matrices of an operand in the bytes of its buffer. */
record OperandMatrix(BufferDescription buffer, boolean transposed, byte[] bytes) {
    static OperandMatrix of(Operand operand, BufferDescription buffer, byte[] bytes) {
        return new OperandMatrix(buffer, operand.transposed(), bytes);
    }

    ElementType type() {
        return buffer.type();
    }

    /** Matrices of the batch. */
    int batch() {
        return buffer.shape().size() == 3 ? Math.toIntExact(buffer.shape().getFirst()) : 1;
    }

    private int height() {
        return buffer.rows() / batch();
    }

    /** The byte at which an element begins; a batch of one serves all. */
    int offset(int matrix, int row, int column) {
        int base = batch() == 1 ? 0 : matrix * height();
        return transposed ? buffer.offset(base + column, row) : buffer.offset(base + row, column);
    }

    long bits(int matrix, int row, int column) {
        return Elements.get(bytes, offset(matrix, row, column), type());
    }

    double value(int matrix, int row, int column) {
        return type().decode(bits(matrix, row, column));
    }

    /** The first elements of a row. */
    void row(int matrix, int row, double[] into) {
        for (int column = 0; column < into.length; column++) {
            into[column] = value(matrix, row, column);
        }
    }

    /** The element's indices in its buffer. */
    String index(int matrix, int row, int column) {
        String pair = transposed ? column + ", " + row : row + ", " + column;
        return batch() == 1 ? "[" + pair + "]" : "[" + matrix + ", " + pair + "]";
    }
}
