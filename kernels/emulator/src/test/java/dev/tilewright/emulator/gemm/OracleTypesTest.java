package dev.tilewright.emulator.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.gemm.oracle.CompareKernel;
import dev.tilewright.gemm.oracle.ComparedElements;
import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.gemm.oracle.FillKernel;
import dev.tilewright.gemm.oracle.FillKernel.Distribution;
import dev.tilewright.gemm.oracle.OracleLaunch;
import dev.tilewright.gemm.oracle.ReferenceGemmKernel;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.testing.DrawnRows;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The kernels that judge others, for all types and layouts. */
class OracleTypesTest {

    private static final long SEED = 99;

    /** Runs a launch whose first arguments are these buffers, in their order. */
    private static RunEnd.Completed run(PtxModule module, OracleLaunch launch, List<Buffer> buffers) {
        List<Argument> arguments = new ArrayList<>();
        for (int i = 0; i < launch.arguments().size(); i++) {
            arguments.add(
                    i < buffers.size()
                            ? new Argument.Pointer(buffers.get(i).name(), 0)
                            : switch (launch.arguments().get(i)) {
                                case Long value -> new Argument.Scalar64(value);
                                case Float value -> new Argument.Scalar32(Float.floatToRawIntBits(value));
                                case Number value -> new Argument.Scalar32(value.intValue());
                            });
        }
        RunEnd verdict = new PtxEmulator(module, launch.entry())
                .run(
                        new Launch(
                                launch.entry(),
                                Dim3.of(launch.gridX()),
                                Dim3.of(launch.threads()),
                                Dim3.of(1),
                                0,
                                arguments,
                                buffers),
                        Options.seed(1));
        assertThat(verdict)
                .as(() -> verdict instanceof RunEnd.Faulted faulted
                        ? faulted.finding().message()
                        : "completed")
                .isInstanceOf(RunEnd.Completed.class);
        return (RunEnd.Completed) verdict;
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Whole numbers are exact in every type; an odd count has a last element alone. */
    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"F16", "E4M3", "E5M2"})
    void fillsWithTheIntegersOfItsSeed(DataType type) {
        int count = 1023;
        DataType element = type;
        OracleLaunch launch = FillKernel.launch(element, Distribution.INTEGERS, 0, count, SEED, 1);
        byte[] out = run(
                        FillKernel.build(List.of(element)),
                        launch,
                        List.of(Buffer.of("out", new byte[count * type.bytes()])))
                .buffer("out");
        float[] expected = new float[count];
        for (int i = 0; i < count; i++) {
            expected[i] = FillKernel.integerAt(SEED, i);
        }
        assertThat(TypedValues.decoded(type, out)).containsExactly(expected);
    }

    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"F16", "E4M3", "E5M2"})
    void fillsWithNormalValues(DataType type) {
        int count = 4096;
        DataType element = type;
        OracleLaunch launch = FillKernel.launch(element, Distribution.NORMAL, 0, count, SEED, 1);
        float[] out = TypedValues.decoded(
                type,
                run(
                                FillKernel.build(List.of(element)),
                                launch,
                                List.of(Buffer.of("out", new byte[count * type.bytes()])))
                        .buffer("out"));
        double sum = 0;
        double squares = 0;
        for (float value : out) {
            sum += value;
            squares += value * (double) value;
        }
        assertThat(sum / count).isBetween(-0.1, 0.1);
        assertThat(squares / count).isBetween(0.9, 1.1);
    }

    /**
     * On whole numbers, exactly, with tails in each dimension and K that no vector divides where a layout allows it.
     */
    @DrawnRows(count = 4, of = """
        BF16 | BF16 | M | K | 136 | 40 | 43
        BF16 | BF16 | K | N | 61 | 136 | 44
        F16 | F16 | K | K | 133 | 36 | 41
        F16 | F16 | M | N | 136 | 40 | 17
        E4M3 | E5M2 | K | K | 131 | 35 | 48
        E5M2 | E4M3 | K | K | 30 | 133 | 40
        E4M3 | E5M2 | K | N | 37 | 131 | 43
        E5M2 | E4M3 | M | N | 130 | 29 | 21
        F32 | BF16 | K | N | 61 | 136 | 43
        F32 | F32 | M | K | 131 | 35 | 24
        F16 | F32 | K | K | 33 | 130 | 29
        """)
    void theReferenceIsRight(DataType typeA, DataType typeB, Major majorA, Major majorB, int m, int n, int k) {
        SplittableRandom random = new SplittableRandom(m);
        float[] a = integers(random, m * k);
        float[] b = integers(random, n * k);
        PtxModule module = ReferenceGemmKernel.build(
                new OperandTypes(typeA, typeB, DataType.F32), new OperandMajors(majorA, majorB, Major.N));
        RunEnd.Completed done = run(
                module,
                ReferenceGemmKernel.launch(0, 0, 0, 0, m, n, k),
                List.of(
                        Buffer.of("a", TypedValues.bytes(typeA, a)),
                        Buffer.of("b", TypedValues.bytes(typeB, b)),
                        Buffer.uninitialised("d", m * n * 4),
                        Buffer.uninitialised("s", m * n * 4)));
        ByteBuffer d = littleEndian(done.buffer("d"));
        ByteBuffer s = littleEndian(done.buffer("s"));
        for (int row = 0; row < m; row++) {
            for (int column = 0; column < n; column++) {
                float sum = 0;
                float magnitude = 0;
                for (int i = 0; i < k; i++) {
                    float product = a[majorA == Major.K ? row * k + i : i * m + row]
                            * b[majorB == Major.K ? column * k + i : i * n + column];
                    sum += product;
                    magnitude += Math.abs(product);
                }
                int at = 4 * (row * n + column);
                assertThat(d.getFloat(at)).as(row + ", " + column).isEqualTo(sum);
                assertThat(s.getFloat(at)).as(row + ", " + column).isEqualTo(magnitude);
            }
        }
    }

    private static float[] integers(SplittableRandom random, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextInt(-2, 3);
        }
        return values;
    }

    /** Sees one wrong and one poisoned element, in whole groups and behind them, and passes the others. */
    @ParameterizedTest
    @CsvSource({"BF16, 17", "BF16, 50", "F16, 17", "F16, 50", "F32, 17", "F32, 50"})
    void theComparisonSeesOneWrongElement(DataType type, int wrong) {
        int m = 3;
        int n = 17;
        float[] reference = new float[m * n];
        float[] magnitude = new float[m * n];
        for (int i = 0; i < m * n; i++) {
            reference[i] = TypedValues.nearest(type, i * 0.37f - 8);
            magnitude[i] = 4;
        }
        ErrorBound bound = ErrorBound.of(new OperandTypes(DataType.BF16, DataType.BF16, type));
        assertThat(compared(type, reference, reference, magnitude, m, n, bound))
                .isEqualTo(new CompareKernel.Result(0, 0, -1, 0));
        float[] d = reference.clone();
        d[wrong] += d[wrong] * 0.03f + 0.25f;
        CompareKernel.Result found = compared(type, d, reference, magnitude, m, n, bound);
        assertThat(found.failing()).isEqualTo(1);
        assertThat(found.firstFailing()).isEqualTo(wrong);
        assertThat(found.maxError()).isGreaterThan(1);
        byte[] bytes = TypedValues.bytes(type, reference);
        ByteBuffer poisoned = littleEndian(bytes);
        switch (type.bytes()) {
            case 2 -> poisoned.putShort(2 * wrong, (short) ComparedElements.POISON);
            default -> poisoned.putInt(4 * wrong, ComparedElements.POISON);
        }
        assertThat(compared(type, bytes, reference, magnitude, m, n, bound).poisoned())
                .isEqualTo(1);
    }

    private static CompareKernel.Result compared(
            DataType type, float[] d, float[] reference, float[] magnitude, int m, int n, ErrorBound bound) {
        return compared(type, TypedValues.bytes(type, d), reference, magnitude, m, n, bound);
    }

    private static CompareKernel.Result compared(
            DataType type, byte[] d, float[] reference, float[] magnitude, int m, int n, ErrorBound bound) {
        ByteBuffer result = ByteBuffer.allocate(CompareKernel.Result.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long word : CompareKernel.Result.initial()) {
            result.putLong(word);
        }
        OracleLaunch launch = CompareKernel.launch(
                type, 0, 0, 0, 0, (long) m * n, (float) bound.relative(), (float) bound.scale(64), 1);
        return CompareKernel.Result.read(littleEndian(run(
                        CompareKernel.build(type),
                        launch,
                        List.of(
                                Buffer.of("d", d),
                                Buffer.of("reference", TypedValues.bytes(DataType.F32, reference)),
                                Buffer.of("absolute", TypedValues.bytes(DataType.F32, magnitude)),
                                Buffer.of("result", result.array())))
                .buffer("result")));
    }
}
