package dev.tilewright.proof.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.model.problem.Activation;
import dev.tilewright.model.problem.DoubleArithmetic;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A batch of GEMMs with alpha, C, a bias, an activation and limits, computed here in f32 as a kernel would. */
class EpilogueComparisonTest {
    private static final int BATCH = 2;
    private static final int M = 4;
    private static final int N = 6;
    private static final int K = 9;

    @TempDir
    private Path directory;

    /** @param vectors whether each matrix has a bias of its own, with gaps between them */
    private LaunchDescription read(String steps, boolean vectors) throws IOException {
        int extent = steps.contains("bias-m") ? M : N;
        Path file = directory.resolve("launch.yaml");
        Files.writeString(
                file, """
            grid: 1
            block: 1
            buffers:
              A: {dtype: f16, shape: [2, 4, 9], init: normal}
              B: {dtype: f16, shape: [2, 6, 9], init: normal}
              C: {dtype: bf16, shape: [2, 4, 6], init: normal}
              V: {dtype: f32, shape: %s, init: normal}
              D: {dtype: bf16, shape: [2, 4, 6]}
            expect:
              - gemm: {a: A, b: B, c: C, d: D, bias: V, epilogue: "%s"}
            """.formatted(vectors ? "[2, " + extent + "], rowStride: " + (extent + 3) : extent, steps));
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

    private static Compared computed(LaunchDescription launch, Major along, List<EpilogueOp> steps) {
        return computed(
                launch, along, steps, matrix -> launch.buffer("V").shape().size() > 1 ? matrix : 0);
    }

    /** @param vector of the bias, for a matrix */
    private static Compared computed(
            LaunchDescription launch, Major along, List<EpilogueOp> steps, IntUnaryOperator vector) {
        Map<String, byte[]> before = before(launch);
        Map<String, byte[]> after = new HashMap<>(before);
        BufferDescription d = launch.buffer("D");
        byte[] result = new byte[(int) d.bytes()];
        for (int matrix = 0; matrix < BATCH; matrix++) {
            for (int m = 0; m < M; m++) {
                for (int n = 0; n < N; n++) {
                    float sum = 0;
                    for (int k = 0; k < K; k++) {
                        sum += get(launch, before, "A", matrix * M + m, k)
                                * get(launch, before, "B", matrix * N + n, k);
                    }
                    float value = ended(
                            steps,
                            sum,
                            get(launch, before, "C", matrix * M + m, n),
                            get(launch, before, "V", vector.applyAsInt(matrix), along == Major.M ? m : n));
                    Elements.put(
                            result,
                            d.offset(matrix * M + m, n),
                            d.type(),
                            d.type().encode(value));
                }
            }
        }
        after.put("D", result);
        return new Comparer(launch, before, after).run();
    }

    private static float ended(List<EpilogueOp> steps, float sum, float c, float bias) {
        float value = sum;
        for (EpilogueOp step : steps) {
            value = switch (step) {
                case EpilogueOp.RowScales _ -> throw new IllegalArgumentException("these inputs have no scales");
                case EpilogueOp.Alpha(double factor) -> value * (float) factor;
                case EpilogueOp.Beta(double factor) -> value + (float) factor * c;
                case EpilogueOp.Bias _ -> value + bias;
                case EpilogueOp.Activate(Activation function) ->
                    function.of(DoubleArithmetic.DEFAULT, (double) value).floatValue();
                case EpilogueOp.Clamp(double low, double high) -> Math.clamp(value, (float) low, (float) high);
            };
        }
        return value;
    }

    private static List<EpilogueOp> steps(String text) {
        return Epilogue.parse(text).ops();
    }

    @ParameterizedTest
    @CsvSource({"RELU, bias", "GELU_TANH, bias-m", "GELU_ERF, bias", "SILU, bias-m"})
    void takesWhatIsRight(Activation activation, String bias) throws IOException {
        String sums = "alpha=0.75,beta=-2," + bias;
        LaunchDescription launch = read(sums + "," + activation, false);
        Major along = bias.equals("bias") ? Major.N : Major.M;
        List<EpilogueOp> right = new ArrayList<>(steps(sums));
        right.add(new EpilogueOp.Activate(activation));
        Compared compared = computed(launch, along, right);
        assertThat(compared.mismatch()).isEmpty();
        assertThat(compared.elements()).isEqualTo(BATCH * M * N);
        // Another function is another result, also the other gelu.
        for (Activation other : Activation.values()) {
            right.set(3, new EpilogueOp.Activate(other));
            assertThat(computed(launch, along, right).mismatch().isEmpty())
                    .as(other.toString())
                    .isEqualTo(other == activation);
        }
    }

    /** Each step counts, and so does each place in the order but among sums. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "alpha=0.75,beta=-2,bias,silu",
                "silu,bias-m,alpha=-0.5,beta=-2",
                "bias,gelu,beta=0.5,clamp=-0.5..1",
                "clamp=-1..2,beta=-2,relu,bias-m,alpha=2"
            })
    void aStepThatIsForgottenOrInAnotherPlaceIsWrong(String text) throws IOException {
        for (boolean vectors : List.of(false, true)) {
            LaunchDescription launch = read(text, vectors);
            Major along = text.contains("bias-m") ? Major.M : Major.N;
            List<EpilogueOp> right = steps(text);
            assertThat(computed(launch, along, right).mismatch()).isEmpty();
            for (int i = 0; i < right.size(); i++) {
                List<EpilogueOp> without = new ArrayList<>(right);
                without.remove(i);
                assertThat(computed(launch, along, without).mismatch())
                        .as("without " + right.get(i))
                        .isPresent();
                if (i > 0 && !(isSum(right.get(i - 1)) && isSum(right.get(i)))) {
                    List<EpilogueOp> swapped = new ArrayList<>(right);
                    Collections.swap(swapped, i - 1, i);
                    assertThat(computed(launch, along, swapped).mismatch())
                            .as(right.get(i) + " before " + right.get(i - 1))
                            .isPresent();
                }
            }
        }
    }

    private static boolean isSum(EpilogueOp step) {
        return step instanceof EpilogueOp.Beta || step instanceof EpilogueOp.Bias;
    }

    @Test
    void aBetaThatIsForgottenIsWrong() throws IOException {
        LaunchDescription launch = read("beta=-2,bias,relu", false);
        assertThat(computed(launch, Major.N, steps("beta=1,bias,relu")).mismatch())
                .isPresent();
    }

    @Test
    void aBiasAlongTheOtherDimensionIsWrong() throws IOException {
        Compared wrong =
                computed(read("alpha=0.75,beta=-2,bias,relu", false), Major.M, steps("alpha=0.75,beta=-2,bias,relu"));
        assertThat(wrong.mismatch())
                .hasValueSatisfying(mismatch -> assertThat(mismatch.expectation())
                        .startsWith("gemm 4x6x9 of A and B, epilogue alpha=0.75,beta=-2,bias,relu, bound "));
    }

    /** Of vectors for each matrix the second has its own. */
    @Test
    void theBiasOfAnotherMatrixIsWrong() throws IOException {
        LaunchDescription own = read("beta=1,bias", true);
        List<EpilogueOp> right = steps("beta=1,bias");
        assertThat(computed(own, Major.N, right, matrix -> matrix).mismatch()).isEmpty();
        assertThat(computed(own, Major.N, right, _ -> 0).mismatch()).hasValueSatisfying(mismatch -> {
            assertThat(mismatch.wrong()).isEqualTo(M * N);
            assertThat(mismatch.first().getFirst().index()).isEqualTo("[1, 0, 0]");
        });
    }
}
