package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.gemm.oracle.Bf16;
import dev.tilewright.gemm.oracle.FillKernel;
import dev.tilewright.gemm.oracle.FillKernel.Distribution;
import dev.tilewright.gemm.oracle.ReferenceGemm;
import dev.tilewright.gemm.oracle.ReferenceGemmKernel;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.Statement;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Kernels without any asynchronous work: grid strides, 64-bit arithmetic, lanes that part, tiles in shared memory. */
class OracleKernelTest {
    private static final int COUNT = 4095;
    private static final long SEED = 77;

    private static ByteBuffer fill(DataType element, Distribution distribution, int bytes) {
        String entry = FillKernel.entry(element, distribution);
        Launch launch = new Launch(
                entry,
                Dim3.of(5),
                Dim3.of(256),
                Dim3.of(1),
                0,
                List.of(new Argument.Pointer("out", 0), new Argument.Scalar64(COUNT), new Argument.Scalar64(SEED)),
                List.of(Buffer.of("out", new byte[COUNT * bytes])));
        RunEnd verdict = new PtxEmulator(FillKernel.build(), entry).run(launch, Options.seed(3));
        assertThat(verdict).isInstanceOf(RunEnd.Completed.class);
        return ByteBuffer.wrap(((RunEnd.Completed) verdict).buffer("out")).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void fillsWithTheIntegersOfItsSeed() {
        ByteBuffer out = fill(DataType.BF16, Distribution.INTEGERS, 2);
        for (int i = 0; i < COUNT; i++) {
            assertThat(Bf16.toFloat(out.getShort(2 * i))).isEqualTo(FillKernel.integerAt(SEED, i));
        }
    }

    @Test
    void fillsWithNormalValues() {
        ByteBuffer out = fill(DataType.F32, Distribution.NORMAL, 4);
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < COUNT; i++) {
            float value = out.getFloat(4 * i);
            sum += value;
            squares += value * (double) value;
        }
        assertThat(sum / COUNT).isBetween(-0.1, 0.1);
        assertThat(squares / COUNT).isBetween(0.9, 1.1);
    }

    private static RunEnd reference(PtxModule module, short[] a, short[] b, int m, int n, int k, long seed) {
        Launch launch = new Launch(
                ReferenceGemmKernel.ENTRY,
                Dim3.of(4),
                Dim3.of(256),
                Dim3.of(1),
                0,
                List.of(
                        new Argument.Pointer("a", 0),
                        new Argument.Pointer("b", 0),
                        new Argument.Pointer("d", 0),
                        new Argument.Pointer("s", 0),
                        new Argument.Scalar32(m),
                        new Argument.Scalar32(n),
                        new Argument.Scalar32(k)),
                List.of(
                        Buffer.of("a", bytes(a)),
                        Buffer.of("b", bytes(b)),
                        Buffer.uninitialised("d", m * n * 4),
                        Buffer.uninitialised("s", m * n * 4)));
        return new PtxEmulator(module, ReferenceGemmKernel.ENTRY).run(launch, Options.seed(seed));
    }

    private static byte[] bytes(short[] values) {
        ByteBuffer buffer = ByteBuffer.allocate(2 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (short value : values) {
            buffer.putShort(value);
        }
        return buffer.array();
    }

    private static short[] integers(int count) {
        short[] values = new short[count];
        for (int i = 0; i < count; i++) {
            values[i] = Bf16.ofFloat(FillKernel.integerAt(SEED, i));
        }
        return values;
    }

    /** Tiles in shared memory, read by many threads, in two buffers with one barrier for each step. */
    @Test
    void referenceGemmIsRightAndInOrder() {
        int m = 140;
        int n = 132;
        int k = 40;
        short[] a = integers(m * k);
        short[] b = integers(n * k);
        for (int seed = 0; seed < 2; seed++) {
            RunEnd verdict = reference(
                    ReferenceGemmKernel.build(OperandTypes.of(DataType.BF16), OperandMajors.DEFAULT),
                    a,
                    b,
                    m,
                    n,
                    k,
                    seed);
            assertThat(verdict).isInstanceOf(RunEnd.Completed.class);
            ByteBuffer d =
                    ByteBuffer.wrap(((RunEnd.Completed) verdict).buffer("d")).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < m * n; i++) {
                assertThat((double) d.getFloat(4 * i))
                        .isEqualTo(ReferenceGemm.element(a, b, k, i / n, i % n).value());
            }
        }
    }

    /** Either barrier left out is a race that the tame run shows. */
    @Test
    void referenceGemmNeedsItsBarriers() {
        PtxModule module = ReferenceGemmKernel.build(OperandTypes.of(DataType.BF16), OperandMajors.DEFAULT);
        Entry entry = module.entry(ReferenceGemmKernel.ENTRY);
        int dropped = 0;
        for (int i = 0; i < entry.body().size(); i++) {
            if (!(entry.body().get(i) instanceof Barrier.CtaBarrier)) {
                continue;
            }
            List<Statement> body = new ArrayList<>(entry.body());
            body.set(i, new Statement.Comment("dropped"));
            Entry without = entry.withBody(body);
            PtxModule racy = new PtxModule(module.target(), module.shared(), List.of(without));
            RunEnd verdict = reference(racy, integers(140 * 40), integers(132 * 40), 140, 132, 40, 0);
            assertThat(verdict).isInstanceOf(RunEnd.Faulted.class);
            assertThat(((RunEnd.Faulted) verdict).finding().hazard())
                    .isInstanceOfAny(Hazard.Race.class, Hazard.UninitialisedRead.class);
            dropped++;
        }
        assertThat(dropped).isEqualTo(2);
    }
}
