package dev.tilewright.worker.gpu.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.gemm.oracle.Allowance;
import dev.tilewright.gemm.oracle.EpilogueReference;
import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.model.problem.Activation;
import dev.tilewright.model.problem.DoubleArithmetic;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.proof.compare.Compared;
import dev.tilewright.proof.compare.Comparer;
import dev.tilewright.proof.compare.Contents;
import dev.tilewright.proof.compare.GemmAllowance;
import dev.tilewright.proof.compare.Mismatch;
import dev.tilewright.testing.Draws;
import dev.tilewright.worker.gpu.cuda.EmulatedGpu;
import dev.tilewright.worker.gpu.measure.BusyMeter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The oracle of a GPU, its kernels run by the emulator, and the f64 reference of the emulator's proofs say the same of
 * every element of a D, right or wrong.
 */
class EndingAgreementTest {

    private static final int SEED = 5;

    /** What an element is computed from, in f64. */
    private record Terms(double sum, double magnitude, double c, double bias) {

        /** What a kernel with these steps makes of it: with the right ones, or with a mistake. */
        double ended(List<EpilogueOp> steps) {
            double value = sum;
            for (EpilogueOp step : steps) {
                value = switch (step) {
                    case EpilogueOp.RowScales _ ->
                        throw new IllegalArgumentException("inputs of 16 bits have no scales");
                    case EpilogueOp.Alpha(double factor) -> factor * value;
                    case EpilogueOp.Beta(double factor) -> value + factor * c;
                    case EpilogueOp.Bias _ -> value + bias;
                    case EpilogueOp.Activate(Activation function) -> function.of(DoubleArithmetic.DEFAULT, value);
                    case EpilogueOp.Clamp(double low, double high) -> Math.clamp(value, low, high);
                };
            }
            return value;
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
            gemm = Ending.gemms(launch).getFirst();
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

        private List<EpilogueOp> steps() {
            return gemm.epilogue().ops();
        }

        private Major biasAlong() {
            return gemm.epilogue().bias().orElse(Major.N);
        }

        private Terms terms(int batch, int row, int column, Major biasAlong) {
            double sum = 0;
            double magnitude = 0;
            for (int k = 0; k < gemm.k(); k++) {
                double product = value(gemm.a(), batch, row, k) * value(gemm.b(), batch, column, k);
                sum += product;
                magnitude += Math.abs(product);
            }
            double c =
                    gemm.c().map(operand -> value(operand, batch, row, column)).orElse(0.0);
            double bias = 0;
            if (gemm.bias().isPresent()) {
                BufferDescription buffer = launch.buffer("BIAS");
                int vector = buffer.shape().size() > 1 ? batch : 0;
                int place = (biasAlong == Major.M ? row : column) % buffer.columns();
                bias = buffer.type()
                        .decode(Elements.get(before.get("BIAS"), buffer.offset(vector, place), buffer.type()));
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
        EpilogueReference steps = new EpilogueReference(gemm.epilogue());
        Allowance close = GemmAllowance.of(gemm.tolerance(), gemm.epilogue(), gemm.k(), type, 0);
        Allowance wide = EndingData.allowance(bench.data, Ending.of(drawn.launch()), gemm.k());
        Allowance ofF32 = new Allowance(0, 0, 0, 0x1p-22 * (1 + Math.sqrt(gemm.k())), 0);
        byte[] d = new byte[Math.toIntExact(drawn.launch().buffer("D").bytes())];
        long wrong = 0;
        for (int batch = 0; batch < drawn.problem().batch(); batch++) {
            for (int row = 0; row < gemm.m(); row++) {
                for (int column = 0; column < gemm.n(); column++) {
                    Terms terms = bench.terms(batch, row, column, bench.biasAlong());
                    double expected = terms.ended(bench.steps());
                    int at = bench.place(batch, row, column);
                    double ofGpu = bench.gpu.at(bench.reference.valueAt(at)).getFloat();
                    double beside =
                            bench.gpu.at(bench.reference.allowanceAt(at)).getFloat();
                    double allowed = wide.allowed(of(steps, terms, wide));
                    assertThat(ofGpu)
                            .as("row %d column %d of %s", row, column, drawn)
                            .isCloseTo(
                                    expected,
                                    within(of(steps, terms, ofF32).error() + 0x1p-22 * Math.abs(expected) + 1e-40));
                    assertThat(wide.relative() * Math.abs(ofGpu) + beside)
                            .as("allowance of row %d column %d of %s", row, column, drawn)
                            .isCloseTo(allowed, within(0x1p-9 * allowed + 1e-40));
                    double inside = 0.25 * close.allowed(of(steps, terms, close));
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

    private static EpilogueReference.Expected of(EpilogueReference steps, Terms terms, Allowance allowance) {
        return steps.of(terms.sum, terms.magnitude, new EpilogueOp.Addends<>(1.0, terms.bias, terms.c), allowance);
    }

    private static final String ALL = """
        name: all
        problem: {a: f16, b: bf16, d: {type: f16, major: %s}, batched: true}
        epilogue: {steps: "%s", c: bf16, bias: f32}
        kernel: kernel.ptx
        launch: {grid: 1, block: 32, parameters: [{pointer: D}]%s}
        """;

    private static final String VECTORS = ", buffers: {BIAS: {dtype: f32, shape: [batch, %s], init: normal}}";

    /** The mistakes that people make, each found by both. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n | alpha=0.5,beta=-2,bias,relu           | false",
                "n | alpha=0.5,beta=-2,bias-m,relu         | true",
                "m | alpha=0.5,beta=-2,bias,relu           | true",
                "m | alpha=0.5,beta=-2,bias-m,gelu-tanh    | false",
                "n | alpha=0.5,beta=-2,bias,gelu-erf       | false",
                "m | bias,alpha=0.5,silu,beta=-2           | false",
                "n | gelu-tanh,bias-m,beta=0.25,alpha=-0.5 | true",
                "n | relu,bias,beta=-2,alpha=3,clamp=-2..3 | false",
                "m | clamp=-2..3,beta=-2,gelu-erf,bias-m   | true"
            })
    void mistakesAreFound(String majorD, String steps, boolean vectors) {
        String buffers = vectors ? VECTORS.formatted(steps.contains("bias-m") ? "m" : "n") : "";
        DrawnEnding drawn = DrawnEnding.of(ALL.formatted(majorD, steps, buffers), new ProblemShape(21, 34, 27), 2);
        Bench bench = new Bench(drawn);
        List<EpilogueOp> right = bench.steps();
        Major along = bench.biasAlong();
        assertThat(found(bench, along, right)).isFalse();
        assertThat(found(bench, along == Major.M ? Major.N : Major.M, right))
                .as("bias along the other dimension")
                .isTrue();
        for (int i = 0; i < right.size(); i++) {
            List<EpilogueOp> without = new ArrayList<>(right);
            without.remove(i);
            assertThat(found(bench, along, without))
                    .as("without " + right.get(i))
                    .isTrue();
            for (EpilogueOp another : inPlaceOf(right.get(i))) {
                List<EpilogueOp> other = new ArrayList<>(right);
                other.set(i, another);
                assertThat(found(bench, along, other))
                        .as(another + " in place of " + right.get(i))
                        .isTrue();
            }
            if (i > 0 && orderMatters(right.get(i - 1), right.get(i))) {
                List<EpilogueOp> swapped = new ArrayList<>(right);
                Collections.swap(swapped, i - 1, i);
                assertThat(found(bench, along, swapped))
                        .as(right.get(i) + " before " + right.get(i - 1))
                        .isTrue();
            }
        }
    }

    private static List<EpilogueOp> inPlaceOf(EpilogueOp step) {
        return switch (step) {
            case EpilogueOp.Alpha(double factor) -> List.of(new EpilogueOp.Alpha(-factor));
            case EpilogueOp.Beta _ -> List.of(new EpilogueOp.Beta(1));
            case EpilogueOp.Bias _, EpilogueOp.RowScales _ -> List.of();
            case EpilogueOp.Activate(Activation function) ->
                Stream.of(Activation.values())
                        .filter(another -> another != function)
                        .<EpilogueOp>map(EpilogueOp.Activate::new)
                        .toList();
            case EpilogueOp.Clamp(double low, double high) ->
                List.of(new EpilogueOp.Clamp(low, high + 1), new EpilogueOp.Clamp(low - 1, high));
        };
    }

    /** Sums may be added in any order, and a positive factor may stand on either side of relu. */
    private static boolean orderMatters(EpilogueOp first, EpilogueOp second) {
        boolean sums = isSum(first) && isSum(second);
        boolean scaled = first instanceof EpilogueOp.Alpha(double factor)
                && factor > 0
                && second.equals(new EpilogueOp.Activate(Activation.RELU));
        return !sums && !scaled;
    }

    private static boolean isSum(EpilogueOp step) {
        return step instanceof EpilogueOp.Beta || step instanceof EpilogueOp.Bias;
    }

    /** Whether a D of such a kernel is wrong; both oracles must agree in that. */
    private static boolean found(Bench bench, Major along, List<EpilogueOp> steps) {
        ElementType type = bench.type();
        byte[] d = new byte[Math.toIntExact(bench.launch.buffer("D").bytes())];
        for (int batch = 0; batch < bench.drawn.problem().batch(); batch++) {
            for (int row = 0; row < bench.gemm.m(); row++) {
                for (int column = 0; column < bench.gemm.n(); column++) {
                    double value = bench.terms(batch, row, column, along).ended(steps);
                    Elements.put(d, bench.place(batch, row, column) * type.bytes(), type, type.encode((float) value));
                }
            }
        }
        boolean inF64 = bench.inF64(d).mismatch().isPresent();
        assertThat(bench.onGpu(d).passes()).isEqualTo(!inF64);
        return inF64;
    }
}
