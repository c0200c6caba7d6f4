package dev.tilewright.worker.gpu.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.model.problem.Activation;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.DoubleArithmetic;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.EpilogueOp;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.proof.export.DescribedLaunch;
import dev.tilewright.worker.gpu.cuda.EmulatedGpu;
import dev.tilewright.worker.gpu.measure.BusyMeter;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The oracle of a GPU, its kernels run by the emulator, for several GEMMs: each has its own vector and its own C, one
 * behind the other as its D.
 */
class EndingOfGroupsTest {

    private static final int SEED = 9;
    private static final int BATCH = 2;
    private static final ElementType TYPE = ElementType.BF16;

    /** The first has an odd number of rows. */
    private static final List<ProblemShape> GROUPS =
            List.of(new ProblemShape(13, 24, 16), new ProblemShape(6, 40, 8), new ProblemShape(3, 8, 24));

    /** Elements of A, B, D and the bias before those of a GEMM. */
    private record Place(ProblemShape shape, int a, int b, int d, int bias) {
        Place behind(ProblemShape next, Major along) {
            return new Place(
                    next,
                    a + shape.m() * shape.k(),
                    b + shape.n() * shape.k(),
                    d + shape.m() * shape.n(),
                    bias + shape.along(along));
        }
    }

    private static final class Bench {
        private final EmulatedGpu gpu = new EmulatedGpu(1 << 10);
        private final Oracle oracle = new KernelOracle(gpu, new BusyMeter(gpu));
        private final List<EpilogueOp> steps;
        private final Major along;
        private final TestData data;
        private final Reference reference;
        private final OperandSet set;

        Bench(Epilogue epilogue) {
            Problem problem = new Problem(
                    GROUPS, BATCH, OperandTypes.of(DataType.BF16), OperandMajors.DEFAULT, Scenario.QUIET, epilogue);
            steps = epilogue.ops();
            along = epilogue.bias().orElseThrow();
            data = TestData.create(gpu, oracle, problem, SEED);
            reference = data.reference(Ending.of(DescribedLaunch.of(
                    problem, new KernelLaunch("ours", 1, 32, 1, 0, List.of(), List.of(), List.of()))));
            set = data.sets().getLast();
        }

        private double get(long address, int element) {
            byte[] bytes = new byte[TYPE.bytes()];
            gpu.read(address + (long) element * TYPE.bytes(), bytes);
            return TYPE.decode(Elements.get(bytes, 0, TYPE));
        }

        private double ended(Place at, Place ofBias, int row, int column) {
            double value = 0;
            for (int k = 0; k < at.shape.k(); k++) {
                value += get(set.a().address(), at.a + row * at.shape.k() + k)
                        * get(set.b().address(), at.b + column * at.shape.k() + k);
            }
            double c = get(reference.c().getLast().buffer().address(), at.d + row * at.shape.n() + column);
            double bias = get(
                    reference.bias().orElseThrow().buffer().address(),
                    ofBias.bias + (along == Major.M ? row : column) % ofBias.shape.along(along));
            for (EpilogueOp step : steps) {
                value = switch (step) {
                    case EpilogueOp.RowScales _ -> throw new IllegalArgumentException("inputs of bf16 have no scales");
                    case EpilogueOp.Alpha(double factor) -> factor * value;
                    case EpilogueOp.Beta(double factor) -> value + factor * c;
                    case EpilogueOp.Bias _ -> value + bias;
                    case EpilogueOp.Activate(Activation function) -> function.of(DoubleArithmetic.DEFAULT, value);
                    case EpilogueOp.Clamp(double low, double high) -> Math.clamp(value, low, high);
                };
            }
            return value;
        }

        /** @param own whether each GEMM adds its own vector, and not that of the first */
        private List<String> complaints(boolean own) {
            byte[] d = new byte[Math.toIntExact(set.d().bytes())];
            Place first = new Place(GROUPS.getFirst(), 0, 0, 0, 0);
            Place at = first;
            for (int gemm = 0; gemm < GROUPS.size() * BATCH; gemm++) {
                at = gemm == 0 ? first : at.behind(GROUPS.get(gemm / BATCH), along);
                for (int row = 0; row < at.shape.m(); row++) {
                    for (int column = 0; column < at.shape.n(); column++) {
                        int element = at.d + row * at.shape.n() + column;
                        double value = ended(at, own ? at : first, row, column);
                        if (own) {
                            assertThat((double)
                                            gpu.at(reference.valueAt(element)).getFloat())
                                    .as("row %d, column %d of GEMM %d", row, column, gemm)
                                    .isCloseTo(value, within(1e-4));
                        }
                        Elements.put(d, element * TYPE.bytes(), TYPE, TYPE.encode(value));
                    }
                }
            }
            gpu.write(set.d().address(), d);
            return new Verifier(gpu, oracle)
                    .judge(data, new Verifier.Expected(reference, List.of()), List.of(set))
                    .complaints();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alpha=0.5,beta=-2,bias,gelu-erf",
                "bias-m,relu,beta=1",
                "beta=0.5,silu,bias-m,clamp=-1..2",
            })
    void eachGemmHasItsOwnVectorAndItsOwnC(String steps) {
        Bench bench = new Bench(Epilogue.parse(steps));
        assertThat(bench.complaints(true)).isEmpty();
        assertThat(bench.complaints(false))
                .singleElement()
                .asString()
                .contains("elements wrong, 0 still poisoned")
                .contains("of GEMM 1");
    }
}
