package dev.tilewright.model.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.trial.TestbedKind;
import java.util.List;
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
        "cuda:all,       EMULATED,  emulated,       false, false"
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
    void allGpusHaveAShortNameToo() {
        assertThat(DeviceSelector.parse("cuda")).hasToString("cuda:all");
    }

    @Test
    void everySimulatedGpuIsOfAnArchitecture() {
        for (String gpu : DeviceSelector.SIMULATED_GPUS) {
            assertThat(DeviceSelector.FORMS).contains("simulated:" + gpu);
            assertThat(DeviceSelector.parse("simulated:" + gpu).architecture()).isPresent();
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
                "simulated:h300",
                "simulated",
                "AUTO",
                "emulated:",
                "emulated:x"
            })
    void whatIsNoSelectorIsNamed(String text) {
        assertThatThrownBy(() -> DeviceSelector.parse(text))
                .hasMessage("unknown device '" + text + "'; known: " + DeviceSelector.FORMS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "cuda", "cuda:all"})
    void whatMayBeSeveralDevicesIsNotOne(String text) {
        assertThatThrownBy(() -> DeviceSelector.parseOne(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a runner has one device, got " + text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cuda:3", "simulated:b200", "emulated", "emulated:7"})
    void oneDeviceIsWhatIsWritten(String text) {
        assertThat(DeviceSelector.parseOne(text))
                .isEqualTo(DeviceSelector.parse(text))
                .hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({
        "auto, simulated:h200, true",
        "auto, cuda:1, true",
        "auto, emulated, false",
        "cuda:all, cuda:1, true",
        "cuda:all, simulated:h200, false",
        "cuda:0, cuda:1, false",
        "simulated:b200, simulated:h200, false",
        "simulated:b200, simulated:b200, true",
        "emulated:8, emulated, false",
        "emulated:4, emulated, true"
    })
    void aSelectorIsAmongTheDevicesThatMayTakeItsWork(String selector, String offered, boolean among) {
        assertThat(DeviceSelector.parse(selector).isAmong(List.of("emulated:2", offered)))
                .isEqualTo(among);
        assertThat(DeviceSelector.parse(selector).isAmong(List.of())).isFalse();
    }
}
