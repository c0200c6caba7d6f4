package dev.tilewright.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.DeviceSelector;
import org.junit.jupiter.api.Test;

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
}
