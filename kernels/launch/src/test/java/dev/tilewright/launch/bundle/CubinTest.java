package dev.tilewright.launch.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.space.Config;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cubins in bundles: what they are compiled for, and which GPUs run them. */
class CubinTest {

    private static final String YAML = """
        name: binary
        problem: {a: bf16, b: bf16, d: bf16}
        kernel: {file: gemm.cubin, target: sm_90a}
        launch: {entry: gemm, grid: 1, block: 32, parameters: [{pointer: D}]}
        """;

    /** The header of a cubin; {@code abi} 0x41 is that of CUDA 13, 0x33 the one before. */
    private static byte[] cubin(int abi, int flags) {
        return ByteBuffer.allocate(100)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, 0x464C_457F)
                .put(7, (byte) abi)
                .putShort(18, (short) 190)
                .putInt(48, flags)
                .array();
    }

    private static BundleKernel kernel(String yaml, byte[] cubin) {
        return Bundle.read(BundleFiles.of(
                        Map.of("kernel.yaml", yaml.getBytes(StandardCharsets.UTF_8), "gemm.cubin", cubin)))
                .kernel(Config.of(Map.of()));
    }

    /** Flags as ptxas 13.0 and Triton 3.2 write them. */
    @ParameterizedTest
    @CsvSource({"0x41, 0x06005a04, sm_90a", "0x33, 0x005a0d5a, sm_90a", "0x41, 0x06006402, sm_100a"})
    void saysWhatItIsCompiledFor(String abi, String flags, String target) {
        byte[] cubin = cubin(Integer.decode(abi), Integer.decode(flags));
        BundleKernel.Binary kernel = (BundleKernel.Binary) kernel(YAML.replace("sm_90a", target), cubin);
        assertThat(kernel.target()).isEqualTo(target);
        assertThat(kernel.entry()).isEqualTo("gemm");
        assertThat(kernel.cubin()).isEqualTo(cubin);
    }

    @Test
    void whatItsHeaderContradictsIsRefused() {
        assertThatThrownBy(() -> kernel(YAML, cubin(0x41, 0x06005004)))
                .isInstanceOf(BundleException.class)
                .hasMessageContaining("kernel.target: must be what gemm.cubin is compiled for, sm_80, got sm_90a");
        assertThatThrownBy(() -> kernel(YAML.replace("sm_90a", "hopper"), cubin(0x41, 0x06005a04)))
                .hasMessageContaining("kernel.target: must be a target such as sm_90a, got 'hopper'");
        assertThatThrownBy(() -> kernel(YAML, "no cubin".getBytes(StandardCharsets.UTF_8)))
                .hasMessageContaining("gemm.cubin must be a cubin, an ELF file for CUDA, and is none");
        assertThatThrownBy(() -> kernel(YAML.replace(", target: sm_90a", ""), cubin(0x41, 0x06005a04)))
                .hasMessageContaining("a cubin needs 'target', such as sm_90a");
    }

    @ParameterizedTest
    @CsvSource({
        "sm_90a, sm_90a, true",
        "sm_90, sm_90a, true",
        "sm_80, sm_90a, false",
        "sm_80, sm_86, true",
        "sm_86, sm_80, false",
        "sm_90a, sm_100a, false",
        "sm_100a, sm_103a, false",
        "sm_100f, sm_103a, true",
        "sm_103a, sm_100a, false"
    })
    void runsOnGpusOfItsGenerationThatAreNoOlder(String compiledFor, String gpu, boolean runs) {
        assertThat(GpuTarget.parse(compiledFor)
                        .orElseThrow()
                        .runsOn(GpuTarget.parse(gpu).orElseThrow()))
                .isEqualTo(runs);
    }
}
