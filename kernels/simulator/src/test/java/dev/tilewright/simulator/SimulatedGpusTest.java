package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.problem.Problem;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedGpusTest {

    @Test
    void everyGpuHasASelectorThatKnowsItsArchitecture() {
        assertThat(SimulatedGpus.all().stream().map(GpuConstants::name))
                .containsExactlyElementsOf(DeviceSelector.SIMULATED_GPUS);
        for (GpuConstants gpu : SimulatedGpus.all()) {
            assertThat(DeviceSelector.parse("simulated:" + gpu.name()).architecture())
                    .contains(gpu.architecture());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NVIDIA H200, h200",
        "NVIDIA H100 80GB HBM3, h100",
        "NVIDIA B200, b200",
        "NVIDIA GB200, gb200",
        "h100, h100",
        "NVIDIA H100 PCIe,",
        "NVIDIA H100 NVL,",
        "NVIDIA H200 NVL,",
        "NVIDIA GH200 480GB,"
    })
    void aDeviceIsKnownByItsModule(String device, @Nullable String gpu) {
        assertThat(SimulatedGpus.ofDevice(device).map(GpuConstants::name)).isEqualTo(Optional.ofNullable(gpu));
    }

    /** Such a launch computes little of what it stores. */
    @Test
    void theMemoryOfAnH100BoundsWhatMovesMuch() {
        Problem moves = Configs.bf16("16384x12288x64");
        double h200 =
                CostModel.of(SimulatedGpus.H200).settled(moves, Configs.large()).ns();
        double h100 =
                CostModel.of(SimulatedGpus.H100).settled(moves, Configs.large()).ns();
        assertThat(h100 / h200).isBetween(1.01, 4800.0 / 3350);
    }
}
