package dev.tilewright.worker.gpu.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.gemm.oracle.Allowance;
import dev.tilewright.launch.Along;
import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.model.problem.Activation;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.proof.compare.Compared;
import dev.tilewright.proof.compare.Comparer;
import dev.tilewright.proof.compare.Contents;
import dev.tilewright.proof.compare.GemmAllowance;
import dev.tilewright.proof.compare.Mismatch;
import dev.tilewright.testing.Draws;
import dev.tilewright.worker.gpu.cuda.EmulatedGpu;
import dev.tilewright.worker.gpu.measure.BusyMeter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The oracle of a GPU, its kernels run by the emulator, and the f64 reference of the emulator's proofs say the same of
 * every element of a D, right or wrong.
 */
class EndingAgreementTest {

    private static final int SEED = 5;

    /** What an element is computed from, in f64. */
    private record Terms(double sum, double magnitude, double c, double bias) {}

    /** How a kernel would end; the right one or one with a mistake. */
    @FunctionalInterface
    private interface End {
        double of(Expectation.Gemm gemm, Terms terms);

        static double right(Expectation.Gemm gemm, Terms terms) {
            return gemm.activation().of(argument(gemm, terms));
        }

        static double argument(Expectation.Gemm gemm, Terms terms) {
            return gemm.alpha() * terms.sum + terms.c + terms.bias;
        }
    }

    private static final class Bench {
        private final DrawnEnding drawn;
        private final LaunchDescription launch;
        private final Expectation.Gemm gemm;
        private final EmulatedGpu gpu = new EmulatedGpu(1 << 12);
        private final Oracle oracle = new KernelOracle(gpu, new BusyMeter(gpu));
        private final TestData data;
        private final Reference reference;
        private final OperandSet set;
        private final Map<String, byte[]> before = new HashMap<>();

        Bench(DrawnEnding drawn) {
            this.drawn = drawn;
            launch = drawn.launch();
            Ending ending = Ending.of(launch);
            gemm = ending.gemm();
            data = TestData.create(gpu, oracle, drawn.problem(), SEED);
            new ReferenceVerifier(gpu, data).verify(SEED);
            reference = data.reference(ending);
            set = data.sets().getLast();
            read("A", set.a().address());
            read("B", set.b().address());
            if (!reference.c().isEmpty()) {
                read("C", reference.c().getLast().buffer().address());
            }
            reference.bias().ifPresent(bias -> read("BIAS", bias.buffer().address()));
            before.put("D", Contents.of(launch.buffer("D"), SEED));
        }

        private void read(String name, long address) {
            byte[] bytes = new byte[Math.toIntExact(launch.buffer(name).bytes())];
            gpu.read(address, bytes);
            before.put(name, bytes);
        }

        private double value(Expectation.Operand operand, int batch, int row, int column) {
            BufferDescription buffer = launch.buffer(operand.buffer());
            int height = Math.toIntExact(buffer.rows() / drawn.problem().batch());
            int at = operand.transposed()
                    ? buffer.offset(batch * height + column, row)
                    : buffer.offset(batch * height + row, column);
            return buffer.type().decode(Elements.get(before.get(operand.buffer()), at, buffer.type()));
        }

        private Terms terms(int batch, int row, int column, Along biasAlong) {
            double sum = 0;
            double magnitude = 0;
            for (int k = 0; k < gemm.k(); k++) {
                double product = value(gemm.a(), batch, row, k) * value(gemm.b(), batch, column, k);
                sum += product;
                magnitude += Math.abs(product);
            }
            double c = gemm.c().isPresent() && gemm.beta() != 0
                    ? gemm.beta() * value(gemm.c().get(), batch, row, column)
                    : 0;
            double bias = 0;
            if (gemm.bias().isPresent()) {
                BufferDescription buffer = launch.buffer("BIAS");
                int place = (biasAlong == Along.M ? row : column) % buffer.columns();
                bias = buffer.type().decode(Elements.get(before.get("BIAS"), buffer.offset(0, place), buffer.type()));
            }
            return new Terms(sum, magnitude, c, bias);
        }

        /** Where an element lies in D, counted in elements. */
        private int place(int batch, int row, int column) {
            return batch * gemm.m() * gemm.n()
                    + (gemm.d().transposed() ? column * gemm.m() + row : row * gemm.n() + column);
        }

        private ElementType type() {
            return launch.buffer("D").type();
        }

        Verifier.Verdict onGpu(byte[] d) {
            gpu.write(set.d().address(), d);
            return new Verifier(gpu, oracle).judge(data, new Verifier.Expected(reference, List.of()), List.of(set));
        }

        Compared inF64(byte[] d) {
            Map<String, byte[]> after = new HashMap<>(before);
            after.put("D", d);
            return new Comparer(launch, before, after).run();
        }
    }

    /** Every element is put far inside or far outside of what is allowed; both oracles must find the same. */
    @Draws(15)
    void bothSayTheSameOfEachElement(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        DrawnEnding drawn = DrawnEnding.draw(random);
        Bench bench = new Bench(drawn);
        Expectation.Gemm gemm = bench.gemm;
        ElementType type = bench.type();
        Allowance close = GemmAllowance.of(gemm, type);
        Allowance wide = EndingData.allowance(bench.data, Ending.of(drawn.launch()));
        byte[] d = new byte[Math.toIntExact(drawn.launch().buffer("D").bytes())];
        long wrong = 0;
        for (int batch = 0; batch < drawn.problem().batch(); batch++) {
            for (int row = 0; row < gemm.m(); row++) {
                for (int column = 0; column < gemm.n(); column++) {
                    Terms terms = bench.terms(
                            batch,
                            row,
                            column,
                            gemm.bias().map(Expectation.Bias::along).orElse(Along.N));
                    double argument = End.argument(gemm, terms);
                    double expected = gemm.activation().of(argument);
                    double scale = Math.abs(gemm.alpha()) * terms.magnitude + Math.abs(terms.c) + Math.abs(terms.bias);
                    int at = bench.place(batch, row, column);
                    double ofGpu = bench.gpu.at(bench.reference.valueAt(at)).getFloat();
                    double beside =
                            bench.gpu.at(bench.reference.allowanceAt(at)).getFloat();
                    double allowed = wide.allowed(expected, argument, scale);
                    assertThat(ofGpu)
                            .as("row %d column %d of %s", row, column, drawn)
                            .isCloseTo(
                                    expected,
                                    within(0x1p-22 * (scale + Math.abs(expected)) * (1 + Math.sqrt(gemm.k())) + 1e-40));
                    assertThat(wide.relative() * Math.abs(ofGpu) + beside)
                            .as("allowance of row %d column %d of %s", row, column, drawn)
                            .isCloseTo(allowed, within(0x1p-9 * allowed + 1e-40));
                    double inside = 0.25 * close.allowed(expected, argument, scale);
                    double outside = 4 * allowed + 1e-30;
                    double off = switch (random.nextInt(8)) {
                        case 0 -> outside;
                        case 1 -> -outside;
                        case 2 -> inside;
                        case 3 -> -inside;
                        default -> 0;
                    };
                    long bits = type.encode(expected + off);
                    double error = Math.abs(type.decode(bits) - expected);
                    if (error > inside && error < outside / 1.5) {
                        bits = type.encode(expected);
                    } else if (error >= outside / 1.5) {
                        wrong++;
                    }
                    Elements.put(d, at * type.bytes(), type, bits);
                }
            }
        }
        Compared compared = bench.inF64(d);
        Verifier.Verdict verdict = bench.onGpu(d);
        assertThat(compared.mismatch().map(Mismatch::wrong).orElse(0L))
                .as(drawn.toString())
                .isEqualTo(wrong);
        assertThat(verdict.complaints()).as(drawn.toString()).hasSize(wrong == 0 ? 0 : 1);
        if (wrong > 0) {
            assertThat(verdict.complaints().getFirst())
                    .as(drawn.toString())
                    .startsWith(wrong + " of " + d.length / type.bytes() + " elements wrong, 0 still poisoned");
        }
    }

    private static final String ALL = """
        name: all
        problem: {a: f16, b: bf16, d: {type: f16, major: %s}, batched: true}
        epilogue: {alpha: 0.5, c: bf16, beta: -2, bias: {along: %s, type: f32}, activation: %s}
        kernel: kernel.ptx
        launch: {grid: 1, block: 32, parameters: [{pointer: D}]}
        """;

    /** The mistakes that people make, each found by both. */
    @ParameterizedTest
    @CsvSource({
        "n, n, relu",
        "n, m, relu",
        "m, n, relu",
        "m, m, gelu-tanh",
        "n, n, gelu-erf",
        "m, n, silu",
        "n, m, gelu-tanh"
    })
    void mistakesAreFound(String majorD, String along, String activation) {
        DrawnEnding drawn = DrawnEnding.of(ALL.formatted(majorD, along, activation), new ProblemShape(21, 34, 27), 2);
        Bench bench = new Bench(drawn);
        Along right = bench.gemm.bias().orElseThrow().along();
        Along other = right == Along.M ? Along.N : Along.M;
        assertThat(found(bench, right, End::right)).isFalse();
        assertThat(found(bench, other, End::right))
                .as("bias along the other dimension")
                .isTrue();
        assertThat(found(
                        bench,
                        right,
                        (gemm, terms) ->
                                gemm.activation().of(gemm.alpha() * terms.sum + terms.c / gemm.beta() + terms.bias)))
                .as("beta forgotten")
                .isTrue();
        assertThat(found(bench, right, (gemm, terms) -> gemm.activation().of(terms.sum + terms.c + terms.bias)))
                .as("alpha forgotten")
                .isTrue();
        assertThat(found(bench, right, (gemm, terms) -> gemm.activation().of(gemm.alpha() * terms.sum + terms.c)))
                .as("bias forgotten")
                .isTrue();
        assertThat(found(
                        bench,
                        right,
                        (gemm, terms) -> gemm.activation().of(gemm.alpha() * terms.sum + terms.c) + terms.bias))
                .as("activation before bias")
                .isTrue();
        for (Activation another : Activation.values()) {
            if (another != bench.gemm.activation()) {
                assertThat(found(bench, right, (gemm, terms) -> another.of(End.argument(gemm, terms))))
                        .as(another + " in place of " + activation)
                        .isTrue();
            }
        }
    }

    /** Whether a D of such a kernel is wrong; both oracles must agree in that. */
    private static boolean found(Bench bench, Along along, End end) {
        ElementType type = bench.type();
        byte[] d = new byte[Math.toIntExact(bench.launch.buffer("D").bytes())];
        for (int batch = 0; batch < bench.drawn.problem().batch(); batch++) {
            for (int row = 0; row < bench.gemm.m(); row++) {
                for (int column = 0; column < bench.gemm.n(); column++) {
                    double value = end.of(bench.gemm, bench.terms(batch, row, column, along));
                    Elements.put(d, bench.place(batch, row, column) * type.bytes(), type, type.encode((float) value));
                }
            }
        }
        boolean inF64 = bench.inF64(d).mismatch().isPresent();
        assertThat(bench.onGpu(d).passes()).isEqualTo(!inF64);
        return inF64;
    }
}
