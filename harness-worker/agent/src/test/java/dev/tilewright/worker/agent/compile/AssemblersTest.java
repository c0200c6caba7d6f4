package dev.tilewright.worker.agent.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.worker.link.assembler.AssemblerLibrary;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AssemblersTest {

    private static Assemblers seeing(String gpus, Integer gpu) {
        return new Assemblers(Map.of("CUDA_VISIBLE_DEVICES", gpus), gpu, AssemblersTest.class);
    }

    /** On a shared node a context on the first GPU of all would be on somebody else's. */
    @Test
    void theDriversJitSeesNoGpuButThatOfTheWorker() throws IOException {
        assertThat(seeing("3,GPU-5", 1).gpus(AssemblerLibrary.DRIVER_JIT)).isEqualTo("GPU-5");
        assertThat(seeing("3,GPU-5", 1).gpus(AssemblerLibrary.NVPTXCOMPILER)).isEmpty();
        assertThatThrownBy(() -> seeing("3", 1).gpus(AssemblerLibrary.DRIVER_JIT))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cuda:1 is not among CUDA_VISIBLE_DEVICES=3");
    }
}
