package dev.tilewright.proof.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.model.problem.Activation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A GEMM with alpha, C, a bias and an activation, computed here in f32 as a kernel would. */
class EpilogueComparisonTest {
    private static final int M = 4;
    private static final int N = 6;
    private static final int K = 9;

    @TempDir
    private Path directory;

    private LaunchDescription read(String activation, String along) throws IOException {
        Path file = directory.resolve("launch.yaml");
        Files.writeString(file, """
            grid: 1
            block: 1
            buffers:
              A: {dtype: f16, shape: [4, 9], init: normal}
              B: {dtype: f16, shape: [6, 9], init: normal}
              C: {dtype: bf16, shape: [4, 6], init: normal}
              V: {dtype: f32, shape: %d, init: normal}
              D: {dtype: bf16, shape: [4, 6]}
            expect:
              - gemm: {a: A, b: B, c: C, d: D, alpha: 0.75, beta: -2, bias: {buffer: V, along: %s}, activation: %s}
            """.formatted(along.equals("m") ? M : N, along, activation));
        return LaunchReader.read(file);
    }

    private static Map<String, byte[]> before(LaunchDescription launch) {
        Map<String, byte[]> contents = new HashMap<>();
        launch.buffers().forEach(buffer -> contents.put(buffer.name(), Contents.of(buffer, 3)));
        return contents;
    }

    private static float get(LaunchDescription launch, Map<String, byte[]> bytes, String name, int row, int column) {
        BufferDescription buffer = launch.buffer(name);
        return (float) buffer.type().decode(Elements.get(bytes.get(name), buffer.offset(row, column), buffer.type()));
    }

    private static Compared computed(LaunchDescription launch, boolean alongM, Activation activation) {
        Map<String, byte[]> before = before(launch);
        Map<String, byte[]> after = new HashMap<>(before);
        BufferDescription d = launch.buffer("D");
        byte[] result = new byte[(int) d.bytes()];
        for (int m = 0; m < M; m++) {
            for (int n = 0; n < N; n++) {
                float sum = 0;
                for (int k = 0; k < K; k++) {
                    sum += get(launch, before, "A", m, k) * get(launch, before, "B", n, k);
                }
                float whole =
                        0.75f * sum - 2 * get(launch, before, "C", m, n) + get(launch, before, "V", 0, alongM ? m : n);
                Elements.put(result, d.offset(m, n), d.type(), d.type().encode((float) activation.of(whole)));
            }
        }
        after.put("D", result);
        return new Comparer(launch, before, after).run();
    }

    @ParameterizedTest
    @CsvSource({"NONE, m", "RELU, n", "GELU_TANH, m", "GELU_ERF, n", "SILU, m"})
    void takesWhatIsRight(Activation activation, String along) throws IOException {
        LaunchDescription launch = read(activation.toString(), along);
        Compared right = computed(launch, along.equals("m"), activation);
        assertThat(right.mismatch()).isEmpty();
        assertThat(right.elements()).isEqualTo(M * N);
        // Another function is another result, also the other gelu.
        for (Activation other : Activation.values()) {
            assertThat(computed(launch, along.equals("m"), other).mismatch().isEmpty())
                    .as(other.toString())
                    .isEqualTo(other == activation);
        }
    }

    @Test
    void aBiasAlongTheOtherDimensionIsWrong() throws IOException {
        Compared wrong = computed(read("relu", "n"), true, Activation.RELU);
        assertThat(wrong.mismatch())
                .hasValueSatisfying(mismatch -> assertThat(mismatch.expectation())
                        .startsWith(
                                "gemm 4x6x9 of A and B, epilogue alpha 0.75, C beta -2.0, bias along n, relu, bound "));
    }
}
