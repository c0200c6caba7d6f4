package dev.tilewright.api.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.trial.TestbedKind;
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
        "simulated:h200, CUDA,      cuda:0,         true,  false"
    })
    void aSelectorAcceptsItsDevices(
            String selector, TestbedKind kind, String label, boolean realGpu, boolean accepted) {
        assertThat(DeviceSelector.parse(selector).accepts(kind, label, realGpu)).isEqualTo(accepted);
        assertThat(DeviceSelector.parse(selector)).hasToString(selector);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "gpu", "cuda:", "cuda:-1", "cuda:1234", "simulated:h100", "simulated", "AUTO"})
    void whatIsNoSelectorIsNamed(String text) {
        assertThatThrownBy(() -> DeviceSelector.parse(text))
                .hasMessage("a device is auto, cuda, cuda:all, cuda:N or simulated:h200, got '" + text + "'");
    }
}
