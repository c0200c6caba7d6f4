package dev.tilewright.proof.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.launch.reader.LaunchReader;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A batch of GEMMs with scales of blocks, by a description, beside loops that are written out here. */
class BlockComparisonTest {

    private static final int BATCH = 2;
    private static final int M = 3;
    private static final int N = 130;
    private static final int K = 300;

    /** Lines of scales of B have gaps or none: both are taken. */
    private static LaunchDescription launch(int pitchB) {
        return LaunchReader.described("""
            grid: 1
            block: 1
            buffers:
              A: {dtype: e4m3, shape: [2, 3, 300], init: normal}
              B: {dtype: e5m2, shape: [2, 130, 300], init: normal}
              P: {dtype: f32, shape: [2, 3, 3], rowStride: 4, init: logUniform}
              Q: {dtype: f32, shape: [2, 2, 3], rowStride: %d, init: logUniform}
              D: {dtype: f32, shape: [2, 3, 130]}
            expect:
              - gemm: {a: A, b: B, d: D, scales: {kind: block, a: P, b: Q}}
            """.formatted(pitchB));
    }

    private static double get(LaunchDescription launch, Map<String, byte[]> bytes, String name, int row, int column) {
        BufferDescription buffer = launch.buffer(name);
        return buffer.type().decode(Elements.get(bytes.get(name), buffer.offset(row, column), buffer.type()));
    }

    @ParameterizedTest
    @CsvSource({"3, 0, true", "4, 0, true", "4, 1, false"})
    void theScaleOfABlockIsThatOfItsElements(int pitchB, int blocksOff, boolean right) {
        LaunchDescription launch = launch(pitchB);
        Map<String, byte[]> before = new HashMap<>();
        launch.buffers().forEach(buffer -> before.put(buffer.name(), Contents.of(buffer, 3)));
        Map<String, byte[]> after = new HashMap<>(before);
        BufferDescription d = launch.buffer("D");
        byte[] written = before.get("D").clone();
        for (int matrix = 0; matrix < BATCH; matrix++) {
            for (int row = 0; row < M; row++) {
                for (int column = 0; column < N; column++) {
                    double sum = 0;
                    for (int k = 0; k < K; k++) {
                        int block = (k / 128 + blocksOff) % 3;
                        sum += get(launch, before, "P", matrix * 3 + block, row)
                                * get(launch, before, "Q", matrix * 2 + column / 128, block)
                                * get(launch, before, "A", matrix * M + row, k)
                                * get(launch, before, "B", matrix * N + column, k);
                    }
                    Elements.put(
                            written,
                            d.offset(matrix * M + row, column),
                            d.type(),
                            d.type().encode(sum));
                }
            }
        }
        after.put("D", written);

        Compared compared = new Comparer(launch, before, after).run();

        assertThat(compared.mismatch().isEmpty()).isEqualTo(right);
    }
}
