package dev.tilewright.worker.gpu.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.oracle.Bf16;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.FakeGpu;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InputRowsTest {

    private static final int ROWS = 6;
    private static final int DEPTH = 5;

    private final FakeGpu gpu = new FakeGpu();

    /** Element (row, k) is 10 * row + k, or an eighth of a row and a k, wherever the layout puts it. */
    @ParameterizedTest
    @CsvSource({"BF16, true", "BF16, false", "F16, true", "F16, false", "E4M3, true", "E5M2, true"})
    void rowsAreTheSameInEveryTypeAndLayout(DataType type, boolean kMajor) {
        DeviceBuffer buffer = gpu.allocate(ROWS * DEPTH * type.bytes());
        ByteBuffer memory = gpu.at(buffer.address());
        for (int row = 0; row < ROWS; row++) {
            for (int k = 0; k < DEPTH; k++) {
                int at = kMajor ? row * DEPTH + k : k * ROWS + row;
                switch (type) {
                    case BF16 -> memory.putShort(2 * at, Bf16.ofFloat(10 * row + k));
                    case F16 -> memory.putShort(2 * at, Float.floatToFloat16(10 * row + k));
                    // 2^row: only the exponent of the format, with the bias of each.
                    case E4M3 -> memory.put(at, (byte) (row + 7 << 3));
                    case E5M2 -> memory.put(at, (byte) (row + 15 << 2));
                    case F32 -> throw new IllegalArgumentException("no input is f32");
                }
            }
        }

        InputRows rows = InputRows.read(
                gpu, new InputRows.Matrix(buffer.address(), type, kMajor, ROWS, DEPTH), List.of(4, 1, 4, 5));

        assertThat(rows.indices()).containsExactly(1, 4, 5);
        for (int row : rows.indices()) {
            for (int k = 0; k < DEPTH; k++) {
                float expected = type.bytes() == 1 ? 1 << row : 10 * row + k;
                assertThat(rows.row(row)[k]).as("row " + row + ", k " + k).isEqualTo(expected);
            }
        }
    }
}
