package dev.tilewright.api.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.trial.Architecture;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.simulator.SimulatedGpus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceSelectorTest {

    @ParameterizedTest
    @CsvSource({
        "auto,           CUDA,      cuda:3,         true,  true",
        "auto,           SIMULATED, simulated:h200, true,  false",
        "auto,           SIMULATED, simulated:h200, false, true",
        "auto,           EMULATED,  emulated,       false, false",
        "cuda,           CUDA,      cuda:3,         true,  true",
        "cuda:all,       CUDA,      cuda:3,         true,  true",
        "cuda:all,       SIMULATED, simulated:h200, false, false",
        "cuda:1,         CUDA,      cuda:1,         true,  true",
        "cuda:1,         CUDA,      cuda:10,        true,  false",
        "simulated:h200, SIMULATED, simulated:h200, true,  true",
        "simulated:h200, CUDA,      cuda:0,         true,  false",
        "simulated:b200, SIMULATED, simulated:b200, true,  true",
        "simulated:b200, SIMULATED, simulated:gb200, true, false",
        "emulated,       EMULATED,  emulated,       false, true",
        "emulated,       EMULATED,  emulated:8,     false, false",
        "emulated:8,     EMULATED,  emulated:8,     true,  true",
        "emulated,       SIMULATED, simulated:h200, false, false",
        "cuda,           EMULATED,  emulated,       false, false"
    })
    void aSelectorAcceptsItsDevices(
            String selector, TestbedKind kind, String label, boolean realGpu, boolean accepted) {
        assertThat(DeviceSelector.parse(selector).accepts(kind, label, realGpu)).isEqualTo(accepted);
        assertThat(DeviceSelector.parse(selector)).hasToString(selector);
    }

    @Test
    void anEmulatedGpuWithTheUsualNumberOfSmsHasTheShortName() {
        assertThat(DeviceSelector.parse("emulated:4")).hasToString("emulated");
    }

    @ParameterizedTest
    @ValueSource(strings = {"emulated:0", "emulated:133"})
    void anEmulatedGpuHasAFewSms(String text) {
        assertThatThrownBy(() -> DeviceSelector.parse(text))
                .hasMessage("an emulated GPU has from 1 to 132 SMs, got " + text.substring(9));
    }

    @Test
    void everySimulatedGpuHasItsName() {
        for (GpuConstants gpu : SimulatedGpus.all()) {
            DeviceSelector selector = DeviceSelector.parse("simulated:" + gpu.name());
            assertThat(selector).hasToString("simulated:" + gpu.name());
            assertThat(selector.architecture().map(Architecture::name))
                    .contains(gpu.architecture().name());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "gpu",
                "cuda:",
                "cuda:-1",
                "cuda:1234",
                "simulated:h100",
                "simulated",
                "AUTO",
                "emulated:",
                "emulated:x"
            })
    void whatIsNoSelectorIsNamed(String text) {
        assertThatThrownBy(() -> DeviceSelector.parse(text))
                .hasMessage("a device is auto, cuda, cuda:all, cuda:N, simulated:h200, simulated:b200, simulated:gb200,"
                        + " emulated or emulated:N, got '" + text + "'");
    }
}
