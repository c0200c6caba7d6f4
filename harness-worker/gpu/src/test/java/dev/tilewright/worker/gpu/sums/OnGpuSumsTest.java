package dev.tilewright.worker.gpu.sums;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tilewright.worker.gpu.cuda.CudaGpu;
import dev.tilewright.worker.gpu.cuda.CudaProbe;
import dev.tilewright.worker.gpu.cuda.EmulatedGpu;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The experiment itself: one wgmma on inputs made for it, on a GPU and on the emulator. Both have the same bits, for
 * all types with sums in f32.
 */
@Tag("gpu")
class OnGpuSumsTest {

    @ParameterizedTest
    @FieldSource("dev.tilewright.worker.gpu.sums.SumInputs#PAIRS")
    void theEmulatorAddsUpAsTheTensorCore(SumInputs.Pair pair) {
        assumeThat(CudaProbe.run()).isInstanceOf(CudaProbe.Present.class);
        SumInputs inputs = SumInputs.of(pair);
        byte[] emulated = SumRun.of(new EmulatedGpu(0), inputs);
        try (CudaGpu gpu = CudaGpu.open(0)) {
            assertThat(SumRun.of(gpu, inputs)).isEqualTo(emulated);
        }
    }
}
