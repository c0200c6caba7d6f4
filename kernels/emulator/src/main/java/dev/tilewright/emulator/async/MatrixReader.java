package dev.tilewright.emulator.async;

import dev.tilewright.emulator.number.Bytes;
import dev.tilewright.emulator.number.ElementFormat;
import dev.tilewright.emulator.tensor.MatrixDescriptor;
import dev.tilewright.ptx.type.Element;

/**
 * Reads an operand of one matrix instruction from shared memory: 32 bytes deep along K.
 *
 * @param rows along M or N
 * @param transposed whether it is MN-major
 * @param sign 1, or -1 if it is negated
 */
public record MatrixReader(Element type, int rows, boolean transposed, float sign) {
    /** Depth of an instruction in bytes of a K-major row. */
    public static final int DEPTH = 32;

    private static final int CHUNK = 16;

    /** Receives 16 bytes. */
    @FunctionalInterface
    public interface ChunkVisitor {
        void chunk(int at);
    }

    /** Depth in elements. */
    public int depth() {
        return DEPTH * 8 / type.bits();
    }

    /** Visits all chunks of 16 bytes that the operand consists of. */
    public void chunks(MatrixDescriptor matrix, ChunkVisitor visitor) {
        if (transposed) {
            int perChunk = CHUNK * 8 / type.bits();
            for (int chunk = 0; chunk < rows / perChunk; chunk++) {
                for (int k = 0; k < depth(); k++) {
                    visitor.chunk(matrix.mnMajor(chunk, k));
                }
            }
            return;
        }
        for (int row = 0; row < rows; row++) {
            visitor.chunk(matrix.kMajor(row, 0));
            visitor.chunk(matrix.kMajor(row, 1));
        }
    }

    /** The row of which a byte of a chunk is, by the chunk's number in the order of {@link #chunks}. */
    int row(int chunk, int offset) {
        return transposed ? chunk / depth() * (CHUNK * 8 / type.bits()) + offset * 8 / type.bits() : chunk / 2;
    }

    /** Puts element (row, k) at {@code base + row * rowStride + k * depthStride}. */
    public void read(byte[] data, MatrixDescriptor matrix, double[] to, int base, int rowStride, int depthStride) {
        int bytes = type.bits() / 8;
        int perChunk = CHUNK / bytes;
        if (transposed) {
            for (int chunk = 0; chunk < rows / perChunk; chunk++) {
                for (int k = 0; k < depth(); k++) {
                    int at = matrix.mnMajor(chunk, k);
                    for (int i = 0; i < perChunk; i++) {
                        to[base + (chunk * perChunk + i) * rowStride + k * depthStride] =
                                sign * element(type, data, at + bytes * i, bytes);
                    }
                }
            }
            return;
        }
        for (int row = 0; row < rows; row++) {
            for (int chunk = 0; chunk < 2; chunk++) {
                int at = matrix.kMajor(row, chunk);
                for (int i = 0; i < perChunk; i++) {
                    to[base + row * rowStride + (chunk * perChunk + i) * depthStride] =
                            sign * element(type, data, at + bytes * i, bytes);
                }
            }
        }
    }

    private static float element(Element type, byte[] data, int at, int bytes) {
        int bits = switch (bytes) {
            case 1 -> data[at];
            case 2 -> Bytes.getShort(data, at);
            default -> Bytes.getInt(data, at);
        };
        return ElementFormat.decode(type, bits);
    }
}
