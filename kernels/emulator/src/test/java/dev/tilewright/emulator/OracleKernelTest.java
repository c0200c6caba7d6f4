package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.oracle.Bf16;
import dev.tilewright.gemm.oracle.FillKernel;
import dev.tilewright.gemm.oracle.FillKernel.Distribution;
import dev.tilewright.gemm.oracle.FillKernel.Element;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Kernels without any asynchronous work: grid strides, 64-bit arithmetic, lanes that part. */
class OracleKernelTest {
    private static final int COUNT = 4095;
    private static final long SEED = 77;

    private static ByteBuffer fill(Element element, Distribution distribution, int bytes) {
        String entry = FillKernel.entry(element, distribution);
        Launch launch = new Launch(
                entry,
                Dim3.of(5),
                Dim3.of(256),
                Dim3.of(1),
                0,
                List.of(new Argument.Pointer("out", 0), new Argument.Scalar64(COUNT), new Argument.Scalar64(SEED)),
                List.of(Buffer.of("out", new byte[COUNT * bytes])));
        Verdict verdict = new PtxEmulator(FillKernel.build(), entry).run(launch, Options.seed(3));
        assertThat(verdict).isInstanceOf(Verdict.Completed.class);
        return ByteBuffer.wrap(((Verdict.Completed) verdict).buffer("out")).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void fillsWithTheIntegersOfItsSeed() {
        ByteBuffer out = fill(Element.BF16, Distribution.INTEGERS, 2);
        for (int i = 0; i < COUNT; i++) {
            assertThat(Bf16.toFloat(out.getShort(2 * i))).isEqualTo(FillKernel.integerAt(SEED, i));
        }
    }

    @Test
    void fillsWithNormalValues() {
        ByteBuffer out = fill(Element.F32, Distribution.NORMAL, 4);
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
}
