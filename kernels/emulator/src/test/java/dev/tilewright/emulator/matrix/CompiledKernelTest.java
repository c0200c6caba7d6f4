package dev.tilewright.emulator.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.emulator.tensor.Swizzle;
import dev.tilewright.emulator.tensor.TensorMap;
import dev.tilewright.ptx.parse.PtxParser;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.ScalarType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** GEMMs in CUDA C++, as the compiler left them: an Ampere one and a Hopper one. */
class CompiledKernelTest {
    private static final int SEEDS = 20;

    private static String text(String name) {
        try (InputStream in = CompiledKernelTest.class.getResourceAsStream("/cuda/" + name)) {
            if (in == null) {
                throw new IllegalStateException("no resource named " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Problem(int[][] a, int[][] b, Element type) {
        static Problem of(Element type, int m, int n, int k) {
            SplittableRandom random = new SplittableRandom(m * 31L + n);
            return new Problem(Elements.random(random, type, m, k), Elements.random(random, type, n, k), type);
        }

        int m() {
            return a.length;
        }

        int n() {
            return b.length;
        }

        int k() {
            return a[0].length;
        }

        private byte[] bytes(int[][] matrix) {
            ByteBuffer all = ByteBuffer.allocate(matrix.length * k() * 2).order(ByteOrder.LITTLE_ENDIAN);
            for (int row = 0; row < matrix.length; row++) {
                for (int i = 0; i < k(); i++) {
                    Elements.put(all, 2 * (row * k() + i), type, matrix[row][i]);
                }
            }
            return all.array();
        }

        List<Buffer> buffers() {
            return List.of(Buffer.of("A", bytes(a)), Buffer.of("B", bytes(b)), Buffer.of("D", new byte[m() * n() * 4]));
        }

        void assertProduct(RunEnd verdict, long seed) {
            assertThat(verdict)
                    .as(() -> "seed " + seed + ": "
                            + (verdict instanceof RunEnd.Faulted f ? f.finding().message() : "completed"))
                    .isInstanceOf(RunEnd.Completed.class);
            ByteBuffer d =
                    ByteBuffer.wrap(((RunEnd.Completed) verdict).buffer("D")).order(ByteOrder.LITTLE_ENDIAN);
            for (int row = 0; row < m(); row++) {
                for (int column = 0; column < n(); column++) {
                    int sum = 0;
                    for (int i = 0; i < k(); i++) {
                        sum += a[row][i] * b[column][i];
                    }
                    assertThat(d.getFloat(4 * (row * n() + column)))
                            .as("seed " + seed + ", row " + row + ", column " + column)
                            .isEqualTo(sum);
                }
            }
        }
    }

    private static Launch ampere(Problem problem) {
        return new Launch(
                "ampere_gemm",
                new Dim3(Math.ceilDiv(problem.n(), 96), Math.ceilDiv(problem.m(), 64), 1),
                Dim3.of(128),
                Dim3.of(1),
                3 * (64 + 96) * 64,
                List.of(
                        new Argument.Pointer("A", 0),
                        new Argument.Pointer("B", 0),
                        new Argument.Pointer("D", 0),
                        new Argument.Scalar32(problem.m()),
                        new Argument.Scalar32(problem.n()),
                        new Argument.Scalar32(problem.k())),
                problem.buffers());
    }

    private static TensorMap map(int rows, int k) {
        return TensorMap.tiled(
                ScalarType.BF16, List.of((long) k, (long) rows), List.of(2L * k), List.of(64, 64), Swizzle.B128);
    }

    private static Launch hopper(Problem problem) {
        return new Launch(
                "hopper_gemm",
                new Dim3(Math.ceilDiv(problem.n(), 64), Math.ceilDiv(problem.m(), 64), 1),
                Dim3.of(256),
                Dim3.of(1),
                4 * 128 * 128 + 64,
                List.of(
                        new Argument.Map("A", 0, map(problem.m(), problem.k())),
                        new Argument.Map("B", 0, map(problem.n(), problem.k())),
                        new Argument.Pointer("D", 0),
                        new Argument.Scalar32(problem.m()),
                        new Argument.Scalar32(problem.n()),
                        new Argument.Scalar32(problem.k())),
                problem.buffers());
    }

    private static PtxEmulator emulator(String name, String changed, String to) {
        String text = text(name + ".ptx");
        assertThat(text).contains(changed);
        return new PtxEmulator(PtxParser.parse(text.replace(changed, to)), name);
    }

    @ParameterizedTest
    @CsvSource({"100, 200, 72", "64, 96, 32", "130, 40, 136", "7, 300, 8"})
    void ampere(int m, int n, int k) {
        Problem problem = Problem.of(Element.F16, m, n, k);
        PtxEmulator emulator = emulator("ampere_gemm", "", "");
        for (int seed = 0; seed < SEEDS; seed++) {
            problem.assertProduct(emulator.run(ampere(problem), Options.seed(seed)), seed);
        }
    }

    @ParameterizedTest
    @CsvSource({"100, 200, 328", "64, 64, 64", "130, 40, 584"})
    void hopper(int m, int n, int k) {
        Problem problem = Problem.of(Element.BF16, m, n, k);
        PtxEmulator emulator = emulator("hopper_gemm", "", "");
        for (int seed = 0; seed < SEEDS; seed++) {
            problem.assertProduct(emulator.run(hopper(problem), Options.seed(seed)), seed);
        }
    }

    private static Hazard hazard(PtxEmulator emulator, Launch launch) {
        for (int seed = 0; seed < SEEDS; seed++) {
            if (emulator.run(launch, Options.seed(seed)) instanceof RunEnd.Faulted faulted) {
                return faulted.finding().hazard();
            }
        }
        throw new AssertionError("no hazard within " + SEEDS + " seeds");
    }

    @Test
    void ampereThatWaitsForTooLittle() {
        Launch launch = ampere(Problem.of(Element.F16, 64, 96, 136));
        assertThat(hazard(emulator("ampere_gemm", "cp.async.wait_group 1;", "cp.async.wait_group 2;"), launch))
                .isInstanceOf(Hazard.ReadBeforeCopy.class);
        assertThat(hazard(emulator("ampere_gemm", "cp.async.commit_group;", ""), launch))
                .isInstanceOf(Hazard.ReadBeforeCopy.class);
    }

    @Test
    void hopperThatWaitsForTooLittle() {
        Launch launch = hopper(Problem.of(Element.BF16, 64, 64, 584));
        String wait = "wgmma.wait_group.sync.aligned ";
        assertThat(hazard(emulator("hopper_gemm", wait + "1;", wait + "2;"), launch))
                .isInstanceOf(Hazard.OverwrittenWhileRead.class);
        assertThat(hazard(emulator("hopper_gemm", wait + "0;", ""), launch))
                .isInstanceOf(Hazard.AccumulatorInFlight.class);
    }
}
