package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.oracle.SpinKernel;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.GpuEvent;
import dev.tilewright.worker.gpu.cuda.HostBuffer;
import dev.tilewright.worker.gpu.cuda.HostFlag;
import dev.tilewright.worker.gpu.cuda.Nvml;
import dev.tilewright.worker.gpu.verify.OracleModule;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A real GPU does what the port promises. The last test leaves this process without one. */
@Order(Integer.MAX_VALUE)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OnGpuTest extends OnGpu {

    @Test
    void theGpuIsWhatTheDriverSays() {
        System.out.println(gpu.info() + ", free " + gpu.freeBytes() + " of " + gpu.totalBytes() + ", driver "
                + Nvml.load().flatMap(Nvml::driverVersion).orElse("without NVML") + ", clock " + state.smClockMhz()
                + " MHz, " + state.powerWatts() + " W, " + state.temperatureCelsius() + " C, throttle "
                + state.throttleReasons());
        assertThat(gpu.info().smCount()).isPositive();
        assertThat(gpu.info().l2Bytes()).isGreaterThan(1 << 20);
        assertThat(gpu.totalBytes()).isGreaterThan(gpu.freeBytes());
    }

    @Test
    void aFlagOfTheHostReachesARunningKernel() {
        try (OracleModule module = OracleModule.load(gpu, SpinKernel.build());
                HostFlag flag = gpu.hostFlag(2)) {
            module.enqueue(SpinKernel.launch(flag.deviceAddress(), 5_000_000_000L, flag.deviceAddress() + 4));
            flag.set(0, 1);
            gpu.synchronize();
            assertThat(flag.get(1)).isEqualTo(SpinKernel.RELEASED);
            flag.set(0, 0);
            module.enqueue(SpinKernel.launch(flag.deviceAddress(), 1_000_000, flag.deviceAddress() + 4));
            gpu.synchronize();
            assertThat(flag.get(1)).isEqualTo(SpinKernel.EXPIRED);
        }
    }

    /** The device copies into pinned memory by itself, at any offset. */
    @Test
    void whatIsFetchedIsThereWhenTheStreamHasPassedIt() {
        byte[] seen = new byte[8];
        try (DeviceBuffer words = gpu.allocate(4096);
                HostBuffer host = gpu.hostBuffer(1 << 16);
                GpuEvent copied = gpu.event()) {
            gpu.fill(words.address(), 0x01020304, 4096);
            gpu.fetch(words.address() + 4, host, 40_000, seen.length);
            copied.record();
            copied.await();
            host.read(40_000, seen);
            assertThat(seen).containsExactly(4, 3, 2, 1, 4, 3, 2, 1);
            assertThatThrownBy(() -> gpu.fetch(words.address(), host, 1 << 16, 4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("do not fit");
        }
    }

    @Test
    void badImagesAreRefusedWithTheAssemblersWords() {
        assertThatThrownBy(() -> gpu.load(".version 8.0\n.target sm_90a\n.address_size 64\nnonsense;".getBytes()))
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("nonsense");
        assertThat(gpu.freeBytes()).as("the context is still good").isPositive();
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void aFaultIsSticky() {
        assertThatThrownBy(() -> {
                    try (OracleModule module = OracleModule.load(gpu, SpinKernel.build())) {
                        module.enqueue(SpinKernel.launch(8, 1_000_000, 8));
                        gpu.synchronize();
                    }
                })
                .isInstanceOfSatisfying(
                        CudaException.class,
                        fault -> assertThat(fault.isSticky()).isTrue());
        gpu = null;
    }
}
