package dev.tilewright.gemm.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.gemm.oracle.EpilogueReference.Expected;
import dev.tilewright.model.problem.Activation;
import dev.tilewright.model.problem.DoubleArithmetic;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
import dev.tilewright.testing.Draws;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of epilogues by hand, and how their errors grow. */
class EpilogueReferenceTest {

    private static EpilogueOp.Addends<Double> addends(double bias, double c) {
        return new EpilogueOp.Addends<>(1.0, bias, c);
    }

    private static final Allowance EXACT = new Allowance(0, 0, 0, 0, 0);

    /** Errors of a unit of sums and of a step behind an activation that no other number is. */
    private static final double OF_SUMS = 0x1p-10;

    private static final double OF_STEPS = 0x1p-14;

    private static final Allowance ROOM = new Allowance(0, 0, 0, OF_SUMS, OF_STEPS);

    private static Expected of(String steps, double sum, double magnitude, double bias, double c) {
        return new EpilogueReference(Epilogue.parse(steps)).of(sum, magnitude, addends(bias, c), ROOM);
    }

    /** A sum of -3 with a bias of 2 and a C of 10. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | -3",
                "bias,relu | 0",
                "relu,bias | 2",
                "relu,bias-m | 2",
                "alpha=2,bias | -4",
                "bias,alpha=2 | -2",
                "beta=0.5 | 2",
                "beta=0.5,alpha=-1 | -2",
                "alpha=-1,beta=0.5 | 8",
                "beta=0 | -3",
                "clamp=-1..1,bias | 1",
                "bias,clamp=-1..1 | -1",
                "relu,beta=1,bias,clamp=0..11 | 11",
                "alpha=-2,relu,beta=0.5,bias | 13",
            })
    void theStepsAreTakenInTheirOrder(String steps, double value) {
        assertThat(of(steps, -3, 9, 2, 10).value()).isEqualTo(value);
    }

    @Test
    void activationsAreThoseOfTheModel() {
        for (Activation function : Activation.values()) {
            EpilogueReference reference = new EpilogueReference(
                    new Epilogue(List.of(new EpilogueOp.Bias(Major.N), new EpilogueOp.Activate(function))));
            assertThat(reference.of(-3, 9, addends(2, 0), EXACT).value())
                    .isEqualTo(function.of(DoubleArithmetic.DEFAULT, -1.0));
        }
    }

    /** 0 times C is not computed, whatever C holds. */
    @Test
    void aBetaOfZeroDoesNotReadC() {
        assertThat(of("beta=0,relu", 3, 9, 0, Double.NaN)).isEqualTo(of("relu", 3, 9, 0, 0));
    }

    @Test
    void factorsAreRoundedToF32UnlessTheKernelIsPassedF64() {
        Epilogue steps = Epilogue.parse("alpha=0.1,beta=0.3,clamp=-9..0.7");
        assertThat(new EpilogueReference(steps).of(1, 1, addends(0, 1), EXACT).value())
                .isEqualTo((double) 0.1f + (double) 0.3f);
        assertThat(new EpilogueReference(steps, new DoubleArithmetic(true))
                        .of(1, 1, addends(0, 1), EXACT)
                        .value())
                .isEqualTo(0.1 + 0.3);
        assertThat(new EpilogueReference(steps).of(9, 9, addends(0, 1), EXACT).value())
                .isEqualTo(0.7f);
        assertThat(new EpilogueReference(steps, new DoubleArithmetic(true))
                        .of(9, 9, addends(0, 1), EXACT)
                        .value())
                .isEqualTo(0.7);
    }

    /** Each unit of the magnitudes that were added has an error; a sum of -3, of magnitudes of 9, bias 2 and C 10. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | 9",
                "alpha=-2 | 18",
                "bias | 11",
                "bias,alpha=-2 | 22",
                "alpha=-2,bias | 20",
                "beta=-0.5 | 14",
                "beta=0 | 9",
                "beta=-0.5,bias,alpha=0.25 | 4",
                "clamp=-1..1 | 9",
                "bias,clamp=0..0 | 11",
            })
    void errorsOfSumsGrowWithTheMagnitudes(String steps, double units) {
        assertThat(of(steps, -3, 9, 2, 10).error()).isEqualTo(units * OF_SUMS);
    }

    /** An activation multiplies the error by its slope, and has roundings of its own; behind it errors are of steps. */
    @ParameterizedTest
    @ValueSource(strings = {"relu", "gelu-tanh", "gelu-erf", "silu"})
    void errorsBehindAnActivationAreThoseOfItsStepsToo(String name) {
        EpilogueOp.Activate step =
                (EpilogueOp.Activate) Epilogue.parse(name).ops().getFirst();
        Activation function = step.function();
        double value = function.of(DoubleArithmetic.DEFAULT, -1.0);
        double before = function.slope() * 11 * OF_SUMS + function.roundings() * 0x1p-24;
        assertThat(before).isGreaterThanOrEqualTo(11 * OF_SUMS);

        assertThat(of("bias," + name, -3, 9, 2, 10).error())
                .isCloseTo(before + OF_STEPS * Math.abs(value), within(1e-15));
        assertThat(of("bias," + name + ",beta=-0.5", -3, 9, 2, 10).error())
                .isCloseTo(before + OF_STEPS * (Math.abs(value) + 5), within(1e-15));
        assertThat(of("bias," + name + ",beta=-0.5,alpha=-3", -3, 9, 2, 10).error())
                .isCloseTo(3 * (before + OF_STEPS * (Math.abs(value) + 5)), within(1e-15));
        assertThat(of("bias," + name + ",beta=-0.5,alpha=-3,clamp=0..0", -3, 9, 2, 10)
                        .error())
                .isCloseTo(3 * (before + OF_STEPS * (Math.abs(value) + 5)), within(1e-15));
    }

    /** Where steps are exact, an activation is too: what is left is the error of its argument. */
    @Test
    void exactStepsLeaveNoErrorOfTheirOwn() {
        Allowance sumsAlone = new Allowance(0, 0, 0, OF_SUMS, 0);
        EpilogueReference reference = new EpilogueReference(Epilogue.parse("bias,silu,beta=2"));
        assertThat(reference.of(-3, 9, addends(2, 10), sumsAlone).error())
                .isEqualTo(Activation.SILU.slope() * 11 * OF_SUMS);
        assertThat(reference.of(-3, 9, addends(2, 10), EXACT).error()).isZero();
    }

    @Test
    void anAllowanceRoundsTheResultBesideTheError() {
        Allowance allowance = new Allowance(0x1p-8, 0.125, 0.5, OF_SUMS, OF_STEPS);
        Expected large = new Expected(-64, 0.75);
        assertThat(allowance.allowed(large)).isEqualTo(0.25 + 0.5 + 0.75);
        assertThat(allowance.beside(large)).isEqualTo(0.5 + 0.75);
        Expected small = new Expected(16, 0.75);
        assertThat(allowance.allowed(small)).isEqualTo(0.125 + 0.5 + 0.75);
        assertThat(allowance.beside(small)).isEqualTo(0.0625 + 0.5 + 0.75);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | 0 | true",
                "alpha=0.5,beta=-2,bias,relu,clamp=-1..1 | 4 | true",
                "alpha=1,beta=0 | 0 | true",
                "bias-m,beta=0.3 | 3 | false",
                "alpha=512 | 1 | false",
                "bias,clamp=0.1..0.7 | 1 | false",
                "gelu | 0 | false",
                "silu,bias | 1 | false",
            })
    void knowsItsRoundingsAndWhetherWholeNumbersStayExact(String steps, int roundings, boolean exact) {
        Epilogue epilogue = Epilogue.parse(steps);
        assertThat(epilogue.roundings()).isEqualTo(roundings);
        assertThat(epilogue.isExact()).isEqualTo(exact);
    }

    /** Computed in f32 step by step, as a kernel does, any order stays within its error. */
    @Draws(200)
    void f32IsWithinTheError(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<EpilogueOp> steps = new ArrayList<>();
        for (String step : List.of("alpha=0.3", "beta=-1.7", "bias", "gelu-tanh", "clamp=-2..1.3")) {
            if (random.nextInt(4) > 0) {
                steps.add(
                        random.nextInt(steps.size() + 1),
                        Epilogue.parse(step).ops().getFirst());
            }
        }
        if (random.nextBoolean()) {
            steps.addFirst(new EpilogueOp.RowScales());
        }
        EpilogueReference reference = new EpilogueReference(new Epilogue(steps));
        Allowance allowance = new Allowance(
                0,
                0,
                0,
                2 * 0x1p-24 * Math.sqrt(1 + reference.epilogue().roundings()),
                Allowance.ofSteps(reference.epilogue()));
        for (int i = 0; i < 50; i++) {
            float sum = (float) (4 * random.nextGaussian());
            float bias = (float) random.nextGaussian();
            float c = (float) random.nextGaussian();
            float scaleA = (float) Math.pow(2, random.nextDouble(-6, 2));
            float scaleB = (float) Math.pow(2, random.nextDouble(-6, 2));
            EpilogueOp.Addends<Double> addends =
                    new EpilogueOp.Addends<>((double) scaleA * scaleB, (double) bias, (double) c);
            Expected expected = reference.of(sum, Math.abs(sum), addends, allowance);
            assertThat((double) inF32(steps, sum, scaleA, scaleB, bias, c))
                    .as("%s of %s, scales %s and %s, bias %s, C %s", steps, sum, scaleA, scaleB, bias, c)
                    .isCloseTo(expected.value(), within(expected.error()));
        }
    }

    /** Three roundings behind gelu that all go the same way: one of 2,000 draws has them. */
    @Test
    void roundingsBehindAnActivationAddUp() {
        f32IsWithinTheError(1367);
    }

    private static float inF32(List<EpilogueOp> steps, float sum, float scaleA, float scaleB, float bias, float c) {
        float value = sum;
        for (EpilogueOp step : steps) {
            value = switch (step) {
                case EpilogueOp.RowScales _ -> value * scaleA * scaleB;
                case EpilogueOp.Alpha(double factor) -> value * (float) factor;
                case EpilogueOp.Beta(double factor) -> Math.fma((float) factor, c, value);
                case EpilogueOp.Bias _ -> value + bias;
                case EpilogueOp.Activate _ -> {
                    float inner = 0.7978845608f * (value + 0.044715f * value * value * value);
                    yield 0.5f * value * (1f + (float) Math.tanh(inner));
                }
                case EpilogueOp.Clamp(double low, double high) -> Math.clamp(value, (float) low, (float) high);
            };
        }
        return value;
    }
}
