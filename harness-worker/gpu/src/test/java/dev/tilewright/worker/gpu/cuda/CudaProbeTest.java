package dev.tilewright.worker.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CudaProbeTest {

    @Test
    void aMachineWithoutADriverHasNoGpu() {
        assumeThat(DriverLibrary.load()).isEmpty();
        assumeThat(CudaProbe.KERNEL_DRIVER).doesNotExist();
        assertThat(CudaProbe.run()).isEqualTo(new CudaProbe.Absent());
    }

    @Test
    void aDriverWhoseLibraryCannotBeLoadedIsBrokenNotAbsent() {
        assertThat(CudaProbe.withoutLibrary(true))
                .isInstanceOfSatisfying(
                        CudaProbe.Failing.class,
                        failing -> assertThat(failing.reason()).contains("libcuda.so.1 cannot be loaded"));
        assertThat(CudaProbe.withoutLibrary(false)).isEqualTo(new CudaProbe.Absent());
    }

    @Test
    void missingLibrariesAreEmptyNotErrors(@TempDir Path empty) {
        assertThat(NativeLibrary.named("libtilewright-does-not-exist.so.1")).isEmpty();
        assertThat(CublasLibraries.find(Optional.of(empty.resolve("libcublasLt.so.13"))))
                .isEmpty();
    }

    @Test
    void installationsAreSearchedTheNewestFirst(@TempDir Path local) throws Exception {
        Files.createDirectories(local.resolve("cuda-12.6/lib64"));
        Files.createDirectories(local.resolve("cuda-13.0/targets/x86_64-linux/lib"));
        Files.createDirectories(local.resolve("share/lib64"));
        assertThat(CublasLibraries.folders(local))
                .containsExactly(local.resolve("cuda-13.0/targets/x86_64-linux/lib"), local.resolve("cuda-12.6/lib64"));
        assertThat(CublasLibraries.folders(local.resolve("missing"))).isEmpty();
    }

    @Test
    void faultsAreStickyAndRefusalsAreNot() {
        assertThat(CudaException.ofDriver("cuStreamSynchronize", 719, "CUDA_ERROR_LAUNCH_FAILED"))
                .hasMessage("cuStreamSynchronize: CUDA_ERROR_LAUNCH_FAILED (719)")
                .returns(true, CudaException::isSticky);
        assertThat(CudaException.ofDriver("cuLaunchKernelEx", 701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES")
                        .isSticky())
                .isFalse();
        assertThat(CudaException.ofLibrary("cublasLtMatmul", 14).isSticky()).isFalse();
        assertThat(CudaException.ofDriver("cuMemAlloc(10 bytes)", 2, "CUDA_ERROR_OUT_OF_MEMORY")
                        .isOutOfMemory())
                .isTrue();
    }

    @Test
    void theTargetOfAHopperIsArchitectureSpecific() {
        assertThat(new GpuInfo(0, "NVIDIA H200", "GPU-x", "13.0", 132, 60 << 20, 232_448, 9, 0).target())
                .isEqualTo("sm_90a");
        assertThat(new GpuInfo(0, "NVIDIA A100", "GPU-x", "13.0", 108, 40 << 20, 166_912, 8, 0).target())
                .isEqualTo("sm_80");
    }
}
